import Testing

@testable import CoreData

final class LookedUpByItsName: NSManagedObject {}

/// No managed object, whatever it is called.
final class LookedUpButNoManagedObject {}

enum FirstSpace {
  final class LookedUpTwice: NSManagedObject {}
}

enum SecondSpace {
  final class LookedUpTwice: NSManagedObject {}
}

private final class LookedUpInItsFile: NSManagedObject {}

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

  // S9.1: also where Foundation has no name.
  @Test(
    arguments: [LookedUpByItsName.self, LookedUpInItsFile.self, SecondSpace.LookedUpTwice.self]
      as [NSManagedObject.Type])
  func everyClassHasANameThatFindsIt(type: NSManagedObject.Type) throws {
    #expect(try model(NSStringFromClass(type)).freeze().entities[0].objectClass == type)
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
