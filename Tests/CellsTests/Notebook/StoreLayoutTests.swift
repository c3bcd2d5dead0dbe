import Boundary
import Checking
import CoreData
import Testing

@testable import Cells

/// The layout of a model's file, compared with the file itself.
@Suite struct StoreLayoutTests {
  private let store: TestStore

  init() throws { store = try TestStore() }

  @Test func theNotebooksLayoutFollowsFromItsModel() throws {
    var layout = try StoreLayout(
      of: NotebookModel.shared, keys: ["Note": "number", "Word": "number"], revisions: ["Note": "revision"])
    layout.require("note", of: "Word")
    #expect(layout == .notebook)
  }

  @Test func anAttributeThatIsNotThereIsAnError() {
    #expect(throws: HarnessFailure.self) { try StoreLayout(of: NotebookModel.shared, keys: ["Note": "name"]) }
  }

  private func entity(_ name: String, under parent: NSEntityDescription? = nil) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    if let parent { parent.subentities.append(entity) }
    return entity
  }

  private func relationship(
    _ name: String, of entity: NSEntityDescription, to destination: NSEntityDescription, maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    entity.properties.append(relationship)
    return relationship
  }

  private func join(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
  }

  /// Sub-entities, one-to-one, many-to-many, a relationship that is its own inverse, and one without any.
  private func model() -> NSManagedObjectModel {
    let thing = entity("Thing")
    let person = entity("Person", under: thing)
    let place = entity("Place", under: thing)
    let card = entity("Card")
    join(
      relationship("card", of: person, to: card, maxCount: 1), relationship("holder", of: card, to: person, maxCount: 1)
    )
    join(
      relationship("visited", of: person, to: place, maxCount: 0),
      relationship("visitors", of: place, to: person, maxCount: 0))
    let friends = relationship("friends", of: person, to: person, maxCount: 0)
    friends.inverseRelationship = friends
    _ = relationship("shown", of: card, to: thing, maxCount: 1)
    _ = relationship("listed", of: card, to: place, maxCount: 0)
    let model = NSManagedObjectModel()
    model.entities = [thing, person, place, card]
    return model
  }

  @Test func everyRelationshipOfAModelIsFoundInItsFile() throws {
    let model = model()
    let container = try NotebookStore.open(in: store.directory, model: model)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      func insert(_ name: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      }
      let (a, b, place, card) = (insert("Person"), insert("Person"), insert("Place"), insert("Card"))
      card.setValue(a, forKey: "holder")
      card.setValue(b, forKey: "shown")
      card.setValue(Set([place]), forKey: "listed")
      a.setValue(Set([place]), forKey: "visited")
      a.setValue(Set([b]), forKey: "friends")
      try context.save()
    }
    let layout = try StoreLayout(of: model)
    let contents = try StoreContents(storeAt: store.path, layout: layout)
    let found = Dictionary(uniqueKeysWithValues: contents.references.map { ($0.name, $0) })
    #expect(
      found.mapValues(\.count) == [
        "Card.holder": 1, "Card.shown": 1, "Person.card": 1, "Person.friends": 2, "Person.visited": 1,
        "Place.Card.listed": 1,
      ])
    #expect(found.values.allSatisfy { $0.orphans.isEmpty && $0.dangling.isEmpty && $0.asymmetric.isEmpty })
    #expect(found["Person.friends"]?.comparedCount == 2)
    #expect(contents.rows.values.reduce(0) { $0 + $1.keys.count } == 4)
  }
}
