@testable import ManagedSources

/// A model with everything that can be declared, and uses of it, so that the compiler asks for each accessor.
enum ModelSource {
  static let text = #"""
    import CoreData
    import Foundation

    public enum Space {
      open class NoteWord: NSManagedObject {
        @NSManaged public var noteWord: NoteWord?
        @NSManaged public var noteWords: NSOrderedSet!
        @NSManaged public var date: Date?, date2: Date
        @NSManaged public var url: URL?
        @NSManaged public var uuid: UUID?
        @NSManaged public var dec: Decimal
        @NSManaged public var nsdec: NSDecimalNumber?
        @NSManaged public var num: NSNumber?
        @NSManaged public var nsdate: NSDate?
        @NSManaged public var nsdate2: NSDate
        @NSManaged public var data: Data
        @NSManaged public var dict: [String: Int]
        @NSManaged public var dict2: [String: [String: String]]?
        @NSManaged public var i: Int, j: Int16
        @NSManaged public var any: Any?
        @NSManaged public var obj: NSObject?
        @NSManaged public var kind: Kind
        @NSManaged private var kind2: Space.Kind
        @NSManaged fileprivate(set) var kind3: Model.Space.Kind
        @NSManaged public func insertIntoWords(_ value: NoteWord, at idx: Int)
        @NSManaged public func insertIntoWords(_ values: [NoteWord], at indexes: NSIndexSet)
        @NSManaged public func removeFromWords(at idx: Int)
        @NSManaged public func removeFromWords(at indexes: NSIndexSet)
        @NSManaged public func replaceWords(at idx: Int, with value: NoteWord)
        @NSManaged public func replaceWords(at indexes: NSIndexSet, with values: [NoteWord])
        @NSManaged public func removeFromWords(_ value: NoteWord)
        @NSManaged public func addToWords(_ values: NSOrderedSet)
        @NSManaged public func addToWords(_ values: Set<NoteWord>)
        func touch() { kind2 = .a; noteWordNoteWord = kind2 == .b ? nil : self }
      }
      public enum Kind: Int16 {
        case a, b
      }
      struct Payload { var x = 3 }
    }
    typealias Blob = Space.Payload
    extension Space.NoteWord {
      @NSManaged public var `class`: Bool
      @NSManaged public var größe: Bool
      @NSManaged public var größeÜberNoteWord: Data?
      @NSManaged private var noteWordNoteWord: Space.NoteWord?
      @NSManaged var payload: Blob?
      @NSManaged var payloadMap: [Int: [Blob]]?
      @NSManaged var _private: Double
      @NSManaged var NoteWord: Double
      @NSManaged var a1b2C3: Float
      @NSManaged var HTTPServerURLString: String?
      @NSManaged var setOfWords: Set<Space.NoteWord>
      @NSManaged var setOfWords2: Set<Space.NoteWord>?
      @NSManaged var optionalLong: Optional<Foundation.Date>
      @NSManaged var anys: [String: [Any?]]?
    }
    final class FoundationThing: Space.NoteWord {
      @NSManaged var essentials: Date
      @NSManaged func addToFoundationThings(_ value: FoundationThing)
      /*@objc*/ var section: String { "" }
      /*@objc(sel)*/ private(set) var isSelected = false
      /*@objc*/ var `default`: Int { get { 3 } set {} }
      /*@objc*/ private var hidden = 3
      /*@objc*/ func validateNum(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      var plain = 3
      override var num: NSNumber? { get { nil } set { super.num = newValue } }
    }
    /*@objc(RenamedThing)*/
    final class Renamed: NSObject {}
    /*@objcMembers*/ final class Exposed: Space.NoteWord {
      var shown: Date?
      @nonobjc var unseen = 1
      var failing: Int { get throws { 1 } }
      static let shared = 3
    }
    extension NSManagedObject { /*@objc*/ var isFresh: Bool { true } }
    public func expression() -> NSExpression { NSExpression() }
    func use(_ s: Space.NoteWord, _ t: FoundationThing) -> Any {
      s.noteWord = s; s.noteWords = nil; s.date = nil; s.date2 = Date(); s.url = nil; s.uuid = nil; s.dec = 3; s.nsdec = nil
      s.num = nil; s.nsdate = nil; s.nsdate2 = NSDate(); s.data = Data(); s.dict["a"] = 3; s.dict2 = nil; s.i += 1
      s.j += 1; s.any = nil; s.obj = nil; s.kind = .a; s.kind3 = .a; s.insertIntoWords(s, at: 3)
      s.insertIntoWords([s], at: NSIndexSet()); s.removeFromWords(at: 3); s.removeFromWords(at: NSIndexSet())
      s.replaceWords(at: 4, with: s); s.replaceWords(at: NSIndexSet(), with: []); s.addToWords(NSOrderedSet())
      s.addToWords([s]); s.class = true; s.größe = true; s.größeÜberNoteWord = nil; s.payload = nil; s.payloadMap = [:]
      s._private = 3; s.NoteWord = 3; s.a1b2C3 = 3; s.HTTPServerURLString = ""; s.setOfWords.insert(s)
      s.setOfWords2?.insert(s); s.optionalLong = nil; s.anys = [:]; t.essentials = Date(); t.addToFoundationThings(t)
      return [\Space.NoteWord.i, \Space.NoteWord.date]
    }
    """#

  /// Another module's uses, also of declarations that the model's own module does not use.
  static let client = """
    import Model
    final class Sub: Space.NoteWord {}
    public func useFromOutside(_ note: Space.NoteWord) -> Any {
      note.i += 1
      note.removeFromWords(note)
      note.addToWords([note])
      return [\\Space.NoteWord.i, \\Space.NoteWord.date]
    }
    """

  static func sources(_ text: String, module: String = "Model", path: String = "Sources/Model.swift") -> ModuleSources {
    var sources = ModuleSources(module: module)
    sources.add(SwiftSource(path: path, text: text))
    return sources
  }
}
