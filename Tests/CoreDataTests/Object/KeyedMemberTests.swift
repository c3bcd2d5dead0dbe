import CoreData
import Testing

/// A class with properties that Objective-C would find by name; `_CoreDataClassNames` lists them, as generated code does.
class Leaf: NSManagedObject {
  enum Colour: Int16 {
    case green, red
  }

  /// In place of the model's, as apps write it.
  var title: String? {
    get {
      willAccessValue(forKey: "title")
      defer { didAccessValue(forKey: "title") }
      return primitiveValue(forKey: "title") as? String
    }
    set {
      willChangeValue(forKey: "title")
      setPrimitiveValue(newValue?.lowercased(), forKey: "title")
      didChangeValue(forKey: "title")
    }
  }

  /// Of a transient attribute.
  var initial: String { title?.prefix(1).uppercased() ?? "" }

  var rank: Int32 = 0
  var colour = Colour.green

  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    let text = value.pointee as? String ?? ""
    if text == "bad" { throw NSError(domain: "Leaf", code: 7) }
    if text.hasSuffix(" ") { value.pointee = text.trimmingCharacters(in: .whitespaces) as AnyObject }
  }
}

final class LoudLeaf: Leaf {
  /// By another name in Swift than for key-value coding, where it is `rank`.
  var loudRank: Int32 { 7 }

  override var title: String? {
    get { super.title?.uppercased() }
    set { super.title = newValue }
  }
}

@Suite struct KeyedMemberTests {
  private static func model() -> NSManagedObjectModel {
    let leaf = Notebook.entity("Leaf", Leaf.self)
    let initial = Notebook.attribute("initial", .stringAttributeType)
    initial.isTransient = true
    let title = Notebook.attribute("title", .stringAttributeType)
    title.setValidationPredicates([NSPredicate(format: "length <= 6")], withValidationWarnings: ["long"])
    leaf.properties = [title, initial]
    let loud = Notebook.entity("LoudLeaf", LoudLeaf.self)
    leaf.subentities = [loud]
    let model = NSManagedObjectModel()
    model.entities = [leaf, loud]
    return model
  }

  private func withLeaves(_ body: (TestStack, NSManagedObjectContext, Leaf, LoudLeaf) throws -> Void) throws {
    let stack = try TestStack(model: Self.model())
    let context = stack.context()
    try context.performAndWait { try body(stack, context, Leaf(context: context), LoudLeaf(context: context)) }
  }

  // S2.6
  @Test func theClassesOwnPropertyComesBeforeTheModels() throws {
    try withLeaves { stack, context, leaf, loud in
      leaf.setValue("OAK", forKey: "title")
      loud.setValue("ELM", forKey: "title")
      #expect(leaf.title == "oak" && leaf.value(forKey: "title") as? String == "oak")
      #expect(loud.value(forKey: "title") as? String == "ELM", "the nearest class's")
      #expect(leaf.value(forKey: "initial") as? String == "O", "though it is transient and was never set")
      #expect(leaf.changedValues()["title"] as? String == "oak")
      try context.save()
      #expect(try stack.sql("SELECT ZTITLE FROM ZLEAF ORDER BY ZTITLE") == ["elm", "oak"])
      context.refresh(leaf, mergeChanges: false)
      #expect(leaf.value(forKey: "initial") as? String == "O", "the fault is filled")
    }
  }

  // S2.6
  @Test func valuesAreAsKeyValueCodingHasThem() throws {
    try withLeaves { _, _, leaf, loud in
      leaf.setValue(NSNumber(value: 3), forKey: "rank")
      #expect(leaf.rank == 3 && leaf.value(forKey: "rank") as? NSNumber == 3)
      leaf.setValue(4, forKey: "rank")
      #expect(leaf.rank == 4, "an Int of Swift is a number too")
      #expect(loud.value(forKey: "rank") as? NSNumber == 7, "the nearest class's")
      leaf.setValue(1, forKey: "colour")
      #expect(leaf.colour == .red && leaf.value(forKey: "colour") as? NSNumber == 1)
      leaf.setValue(nil, forKey: "title")
      #expect(leaf.title == nil && leaf.value(forKey: "title") == nil)
      leaf.setValue(NSNull(), forKey: "title")
      #expect(leaf.value(forKeyPath: "title") == nil)
    }
  }

  // S2.6, S7.5: a section may be a property that the class computes.
  @Test func sectionsMayBeComputed() throws {
    try withLeaves { _, context, leaf, loud in
      (leaf.title, loud.title) = ("oak", "elm")
      try context.save()
      let request = NSFetchRequest<Leaf>(entityName: "Leaf")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "initial", cacheName: nil)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["E", "O"])
    }
  }

  // S2.7
  @Test func aMethodValidatesThePropertyOfItsName() throws {
    try withLeaves { stack, context, leaf, loud in
      leaf.title = "bad"
      loud.title = "elm "
      #expect(caught { try context.save() }?.domain == "Leaf")
      leaf.title = "oak"
      try context.save()
      #expect(try stack.sql("SELECT ZTITLE FROM ZLEAF ORDER BY ZTITLE") == ["elm", "oak"])
      leaf.title = "bad"
      #expect(caught { try context.save() }?.code == 7, "of an update too")
      leaf.title = "birch  "
      #expect(caught { try context.save() }?.code == NSValidationStringTooLongError, "the model's rules come first")
    }
  }
}
