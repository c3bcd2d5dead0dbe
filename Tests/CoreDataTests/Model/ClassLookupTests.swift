import Testing

@testable import CoreData

final class LookedUpByItsName: NSManagedObject {}

final class LookedUpByAnotherName: NSManagedObject {}

/// No managed object, whatever it is called.
final class LookedUpButNoManagedObject {}

enum FirstSpace {
  final class LookedUpTwice: NSManagedObject {}
}

enum SecondSpace {
  final class LookedUpTwice: NSManagedObject {}
}

/// What the build-tool plugin writes for renamed classes, and for what key-value coding finds by name.
final class _CoreDataClassNames: _ManagedClassNames {
  override class var classes: [String: AnyClass] {
    ["CBRenamed": LookedUpByAnotherName.self, "CBReverser": NamedReverser.self]
  }

  override class var properties: [_KeyedProperty] {
    [
      _KeyedProperty("title", \Leaf.title), _KeyedProperty("initial", \Leaf.initial),
      _KeyedProperty("rank", \Leaf.rank),
      _KeyedProperty("colour", \Leaf.colour), _KeyedProperty("title", \LoudLeaf.title),
      _KeyedProperty("rank", \LoudLeaf.loudRank),
    ]
  }

  override class var keyPaths: [AnyKeyPath: String] { [\Loose.text: "text"] }

  override class var validators: [_KeyedValidator] {
    [_KeyedValidator("title", Leaf.self) { try $0.validateTitle($1) }]
  }
}

/// Models made on Apple's systems name classes without their module.
struct ClassLookupTests {
  @Test(
    arguments: [
      ("LookedUpByItsName", LookedUpByItsName.self), (".LookedUpByItsName", LookedUpByItsName.self),
      ("CoreDataTests.LookedUpByItsName", LookedUpByItsName.self), ("CBRenamed", LookedUpByAnotherName.self),
      ("CoreDataTests.SecondSpace.LookedUpTwice", SecondSpace.LookedUpTwice.self),
      ("NSManagedObject", NSManagedObject.self),
    ] as [(String, NSManagedObject.Type)])
  func anEntityFindsItsClass(name: String, type: NSManagedObject.Type) throws {
    let entity = try model(name).freeze().entities[0]
    #expect(entity.objectClass == type)
  }

  @Test(arguments: [
    ("LookedUpNowhere", "no subclass of NSManagedObject is named LookedUpNowhere"),
    ("LookedUpButNoManagedObject", "no subclass of NSManagedObject"),
    ("CoreDataTests.LookedUpNowhere", "no subclass of NSManagedObject"),
    ("LookedUpTwice", "several classes are named LookedUpTwice"),
  ])
  func aClassThatIsNotThereOrNotAloneIsSaid(name: String, words: String) {
    do {
      _ = try model(name).freeze()
      Issue.record("\(name) was found")
    } catch {
      #expect("\(error)".contains(words), "\(error)")
    }
  }

  private func model(_ className: String) -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.managedObjectClassName = className
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }
}
