import CoreData
import Testing

@testable import Trials

@Suite struct ObjectGraphTests {
  /// Books with one author each, friends of authors, and a seat of one author each; written here, so that no seed decides.
  private static let model = DrawnModel(
    entities: ["Author", "Book", "Seat"],
    relationships: [
      .init(
        name: "books", entity: "Author", destination: "Book", isToMany: true, isOrdered: true, rule: .cascadeDeleteRule,
        inverse: "author"),
      .init(
        name: "author", entity: "Book", destination: "Author", isToMany: false, isOrdered: false,
        rule: .nullifyDeleteRule, inverse: "books"),
      .init(
        name: "friends", entity: "Author", destination: "Author", isToMany: true, isOrdered: false,
        rule: .nullifyDeleteRule, inverse: "friends"),
      .init(
        name: "seat", entity: "Author", destination: "Seat", isToMany: false, isOrdered: false,
        rule: .nullifyDeleteRule, inverse: "sitter"),
      .init(
        name: "sitter", entity: "Seat", destination: "Author", isToMany: false, isOrdered: false, rule: .denyDeleteRule,
        inverse: "seat"),
    ])

  /// Two authors, the first with two books and the seat, and friends with the second.
  private func library() -> ObjectGraph {
    var graph = ObjectGraph(Self.model)
    for name in [1, 2] { graph.insert(name, "Author") }
    for name in [11, 12] { graph.insert(name, "Book") }
    graph.insert(21, "Seat")
    graph.add(11, to: 1, "books")
    graph.relate(12, "author", to: 1)
    graph.add(2, to: 1, "friends")
    graph.relate(1, "seat", to: 21)
    return graph
  }

  @Test func bothSidesOfARelationshipAreKept() {
    var graph = library()
    #expect(graph.nodes[1]?.members("books") == [11, 12])
    #expect(graph.nodes[2]?.members("friends") == [1])
    graph.relate(11, "author", to: 2)
    #expect(graph.nodes[1]?.members("books") == [12])
    #expect(graph.nodes[2]?.members("books") == [11])
    // The seat changes hands: its old owner has none.
    graph.relate(2, "seat", to: 21)
    #expect(graph.nodes[1]?.ones["seat"] == nil)
    #expect(graph.nodes[21]?.ones["sitter"] == 2)
    #expect(graph.asymmetries.isEmpty)
  }

  @Test func aDeleteFollowsItsRules() {
    var graph = library()
    #expect(graph.delete(1) == [1, 11, 12])
    #expect(graph.nodes[2]?.members("friends") == [])
    #expect(graph.nodes[21]?.ones["sitter"] == nil)
    #expect(graph.denied.isEmpty)
    var other = library()
    other.delete(21)
    #expect(other.denied == [21])
    other.relate(1, "seat", to: nil)
    #expect(other.denied.isEmpty)
  }

  @Test func whatOthersSavedComesUnderUnsavedChanges() {
    let base = library()
    var (mine, theirs) = (base, base)
    mine.set(11, "title", "mine")
    mine.insert(13, "Book")
    mine.relate(13, "author", to: 2)
    theirs.set(11, "title", "theirs")
    theirs.set(12, "title", "theirs")
    theirs.delete(21)
    var contested: Set<ObjectGraph.Side> = []
    let seen = mine.rebased(from: base, onto: theirs, contested: &contested)
    #expect(seen.nodes[11]?.values["title"] == "mine")
    #expect(seen.nodes[12]?.values["title"] == "theirs")
    #expect(seen.nodes[2]?.members("books") == [13])
    #expect(seen.nodes[21] == nil)
    #expect(contested.isEmpty)
  }

  @Test func aDeletionReachesWhatOthersRelatedToIt() {
    let base = library()
    var (mine, theirs) = (base, base)
    mine.delete(1)
    theirs.insert(14, "Book")
    theirs.relate(14, "author", to: 1)
    var contested: Set<ObjectGraph.Side> = []
    let seen = mine.rebased(from: base, onto: theirs, contested: &contested)
    #expect(Set(seen.nodes.keys) == [2, 21])
    #expect(mine.deletesReferenced(from: base, in: theirs))
    // An object taken out before the delete is left.
    var kind = base
    kind.relate(12, "author", to: nil)
    kind.delete(1)
    #expect(kind.rebased(from: base, onto: theirs, contested: &contested).nodes[12] != nil)
  }

  @Test func aRelationshipThatBothChangedIsContested() {
    let base = library()
    var (mine, theirs) = (base, base)
    mine.relate(11, "author", to: 2)
    theirs.relate(11, "author", to: nil)
    var contested: Set<ObjectGraph.Side> = []
    _ = mine.rebased(from: base, onto: theirs, contested: &contested)
    #expect(contested.contains(.init(name: 11, relationship: "author")))
    #expect(!contested.contains(.init(name: 12, relationship: "author")))
  }

  @Test func differencesAreNamed() {
    let expected = library()
    var seen = expected
    #expect(expected.differences(to: seen).isEmpty)
    seen.set(11, "title", "x")
    seen.setOrder([12, 11], of: 1, "books")
    seen.insert(15, "Book")
    seen.delete(21)
    let found = expected.differences(to: seen).map(\.what)
    #expect(found == [.order("books"), .value("title"), .isThere, .isMissing])
  }
}

@Suite struct AnythingScriptTests {
  @Test func aStepIsReadAsItIsWritten() {
    let edits: [Edit] = [
      .insert(1, entity: "Book"), .set(1, "title", 3), .set(1, "title", nil), .relate(1, "author", to: 2),
      .relate(1, "author", to: nil), .add(2, "books", member: 1), .remove(2, "books", member: 1),
      .move(2, "books", member: 1, place: 0), .replace(2, "books", [1, 3]), .replace(2, "books", []), .delete(1),
    ]
    let steps: [AnythingStep] = [
      .write(edits), .edit(.own, edits), .save(.child), .rollBack(.own), .reset(.own), .refresh(.own, 7, merging: true),
      .hear(.child, .remote), .look(.own, .lists), .ask(.child, 99), .undo(edits, keeps: true), .deny(.own, 4),
      .release(.own, 5),
    ]
    for step in steps { #expect(AnythingStep(Substring("\(step)")).map { "\($0)" } == "\(step)") }
    #expect(AnythingStep("own dance") == nil)
    #expect(Edit("set 1") == nil)
  }

  @Test func aSeedDrawsOneModel() throws {
    let (one, same, other) = (DrawnModel(seed: 4), DrawnModel(seed: 4), DrawnModel(seed: 5))
    #expect(one.relationships.keys.sorted() == same.relationships.keys.sorted())
    #expect("\(one.relationships["link5"] as Any)" == "\(same.relationships["link5"] as Any)")
    #expect(
      "\(one.attributes.values.map(\.name).sorted())\(one.relationships)" != "\(other.attributes)\(other.relationships)"
    )
  }

  @Test(arguments: 1..<40) func everyDrawnModelCanBeStored(seed: UInt64) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: DrawnModel(seed: seed).managedObjectModel())
    let store = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    #expect(store.type == NSInMemoryStoreType)
  }

  @Test func aConditionSaysTheSameOfObjectsAsOfTheGraph() {
    var graph = ObjectGraph(DrawnModel(seed: 1))
    graph.insert(1, "Place")
    graph.set(1, "placeSize", "7")
    #expect(DrawnQuery.number("placeSize", .greater, 2).holds(for: 1, in: graph))
    #expect(!DrawnQuery.number("placeSize", .less, 2).holds(for: 1, in: graph))
    // Null is unequal to every number, and in no other relation to any.
    #expect(DrawnQuery.number("placeCount", .unequal, 2).holds(for: 1, in: graph))
    #expect(!DrawnQuery.number("placeCount", .lessOrEqual, 2).holds(for: 1, in: graph))
    #expect(DrawnQuery.not(.isNull("placeSize")).holds(for: 1, in: graph))
  }
}
