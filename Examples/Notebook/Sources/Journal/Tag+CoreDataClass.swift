import CoreData

/// The model asks for the properties only: the class is written by hand.
public class Tag: NSManagedObject {
  @NSManaged private var primitiveName: String?

  /// Changed by a setter of its own, as apps do that keep a value in shape.
  public var label: String {
    get {
      willAccessValue(forKey: "name")
      defer { didAccessValue(forKey: "name") }
      return primitiveName ?? ""
    }
    set {
      willChangeValue(forKey: "name")
      primitiveName = newValue.lowercased()
      didChangeValue(forKey: "name")
    }
  }

  public convenience init(label: String, context: NSManagedObjectContext) {
    self.init(context: context)
    self.label = label
  }

  public override func awakeFromInsert() {
    super.awakeFromInsert()
    primitiveName = "untitled"
  }
}
