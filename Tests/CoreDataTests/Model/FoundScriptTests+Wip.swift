import Testing

@testable import CoreData

extension FoundScriptTests {
  static let wip: [Script] = [
    Script(
      "seed 117",
      [.insert(0, entity: shelf, name: 242), .insert(1, entity: note, name: 243), .insert(1, entity: shelf, name: 244), .add(1, name: 244, property: 1, member: 243), .save(1), .fetchAll(0, entity: shelf), .delete(0, name: 244), .save(0), .insert(1, entity: shelf, name: 251), .add(0, name: 242, property: 1, member: 243), .add(1, name: 251, property: 1, member: 243), .save(0), .merge(1, saveFromEnd: 0), .set(0, name: 243, property: 0, value: 0), .save(0), .delete(1, name: 251), .save(1)], world: World(members: [.init(), .init(), .init(parent: 0), .init(parent: 2)])),
    Script(
      "seed 3",
      [.insert(0, entity: word, name: 151), .insert(0, entity: note, name: 172), .insert(0, entity: word, name: 173), .save(0), .add(0, name: 172, property: 4, member: 151), .save(0), .fetchAll(1, entity: word), .relate(1, name: 151, property: 1, to: nil), .add(1, name: 172, property: 4, member: 173), .save(1), .add(0, name: 172, property: 4, member: 173), .read(0, name: 172, property: 4), .add(1, name: 172, property: 4, member: 151), .insert(1, entity: note, name: 202), .save(1), .add(1, name: 202, property: 4, member: 173), .save(1), .delete(0, name: 172), .merge(0, saveFromEnd: 0), .save(0)], world: World(members: [.init(), .init(), .init(parent: 0), .init(parent: 2)], isOrdered: true)),
  ]

  @Test func wip() {
    let wanted = ProcessInfo.processInfo.environment["WIP"]
    for script in Self.wip where wanted.map({ script.testDescription == "seed \($0)" }) ?? true {
      let episode = Episode(model: AtlasSchema.model(isOrdered: script.world.isOrdered), world: script.world, isThorough: true)
      print(script.testDescription, episode.run(script.steps).map { "\($0)" } ?? "ok")
    }
  }
}
