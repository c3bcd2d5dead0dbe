import Scheduling
import Testing

@testable import CoreData

/// URIs that are read one after the other name the same objects as each by itself. S5.2.
@Suite struct ObjectURITests {
  @Test(arguments: UInt64(1)...20) func everyFormOfAURINamesTheSameAsByItself(_ seed: UInt64) throws {
    let stack = try TestStack(.file, model: Zoo.model())
    let other = try TestStack(.file, model: Zoo.model())
    let coordinator = stack.container.persistentStoreCoordinator
    func uuid(_ stack: TestStack) throws -> String {
      try #require(stack.container.persistentStoreCoordinator.stores.all.first?.sqlite.identity.uuid)
    }
    let hosts = [try uuid(stack), try uuid(stack).lowercased(), try uuid(other), "nowhere", ""]
    let paths = [
      "Keeper/p1", "Keeper/p23", "Lion/p4", "Keeper/p0", "Keeper/p-5", "Keeper/p+5", "Keeper/p05", "Keeper/p",
      "Keeper/p1x", "Keeper/t1", "Keeper/p1/", "Keeper//p1", "Keeper/x/p1", "Keeper/p1?p2", "Keeper/p1#p2",
      "Keeper/p1#p1",
      "Keeper/p7?p7", "Keeper/%7012", "Keeper/p%31", "Nobody/p1", "Keeper/p1099511627775", "Keeper/p1099511627776",
      "Keeper/p999999999999999999", "Keeper/p9223372036854775808", "p1", "",
    ]
    var urls = hosts.flatMap { host in paths.compactMap { URL(string: "x-coredata://\(host)/\($0)") } }
    urls += try [URL(string: "file:///Keeper/p1"), URL(string: "p2", relativeTo: urls[0])].map { try #require($0) }
    // Whatever was read before, in whichever order.
    var random = SeededRandom(seed: seed)
    var uris = ObjectURIs(coordinator)
    for url in (urls + urls).shuffled(using: &random) {
      let own = coordinator.managedObjectID(forURIRepresentation: url)
      let found = uris.object(url)
      #expect(found?.key == own?.key, "\(url)")
      #expect(found?.layout === own?.layout, "\(url)")
    }
    #expect(urls.compactMap { coordinator.managedObjectID(forURIRepresentation: $0) }.count > 10)
  }

  @Test func subentitiesAndManyEntitiesAreDistinguished() throws {
    let stack = try TestStack(.file, model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      let objects = ["Lion", "Cat", "Bird", "Keeper", "Badge", "Sample"].flatMap { name in
        (1...3).map { _ in context.insert(name) }
      }
      try context.save()
      var uris = ObjectURIs(stack.container.persistentStoreCoordinator)
      var random = SeededRandom(seed: 1)
      for object in (objects + objects).shuffled(using: &random) {
        let found = uris.object(object.objectID.uriRepresentation())
        #expect(found?.key == object.objectID.key)
        #expect(found?.layout === object.layout)
      }
    }
  }
}
