import CoreData
import Testing

/// Looks back at the object that led to it, when it goes.
final class GoingTarget: NSManagedObject {
  var look: (() -> Void)?

  deinit { look?() }
}

/// A partner that goes with the reference to it finds the object as it is then.
@Suite struct LastReferenceTests {
  // In a debug build references live long enough in any case; a release build shows it.
  @Test(arguments: [1, 2]) func aPartnerThatGoesIsNoPartnerAnyMore(relationships: Int) throws {
    let source = Notebook.entity("Source", NSManagedObject.self)
    let target = Notebook.entity("Target", GoingTarget.self)
    source.properties =
      [Notebook.relationship("target", to: target, maxCount: 1)]
      + (1..<relationships).map { Notebook.relationship("other\($0)", to: target, maxCount: 1) }
    let model = NSManagedObjectModel()
    model.entities = [source, target]
    let stack = try TestStack(model: model)
    let context = stack.context()
    try context.performAndWait {
      let object = NSManagedObject(entity: source, insertInto: context)
      object.setValue(GoingTarget(entity: target, insertInto: context), forKey: "target")
      try context.save()
      var seen: [Bool] = []
      (object.value(forKey: "target") as? GoingTarget)?.look = { [unowned object] in
        seen.append(object.value(forKey: "target") == nil)
      }
      object.setPrimitiveValue(nil, forKey: "target")
      #expect(seen == [true])
    }
  }
}
