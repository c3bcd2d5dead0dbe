import CoreData
import Foundation
import Palette

/// A subclass of a class that is made of the model, with accessors of its own.
/*@objc(Headline)*/
public class Headline: Entry {
  @NSManaged public var mark: Mark

  public override var title: String? {
    get {
      willAccessValue(forKey: "title")
      defer { didAccessValue(forKey: "title") }
      return (primitiveValue(forKey: "title") as? String)?.uppercased()
    }
    set {
      willChangeValue(forKey: "title")
      setPrimitiveValue(newValue, forKey: "title")
      didChangeValue(forKey: "title")
    }
  }

  public private(set) var moods: [Int16] = []

  public override var mood: Int16 {
    didSet { moods.append(mood) }
  }
}
