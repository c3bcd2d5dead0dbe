/// Scripts about what is deleted, what a deletion reads, and what never was.
extension FoundScriptTests {
  static let deleting = [
    Script(
      "S4.4: a fault of a child that is deleted has the row that its deletion was followed with",
      [
        .insert(3, entity: note, name: 67), .insert(1, entity: shelf, name: 91), .insert(1, entity: cover, name: 110),
        .insert(1, entity: note, name: 111), .set(1, name: 110, property: 0, value: 0), .save(1), .object(3, name: 91),
        .relate(3, name: 67, property: 3, to: 91), .relate(1, name: 110, property: 1, to: 111), .delete(3, name: 91),
        .save(1), .object(3, name: 110), .delete(3, name: 110), .save(3), .rollback(3),
      ]),
    Script(
      "S2.1: a fault of an ID that was never saved is not who came back",
      [
        .insert(4, entity: shelf, name: 242), .insert(0, entity: shelf, name: 250), .insert(4, entity: note, name: 256),
        .insert(2, entity: note, name: 273), .save(2), .add(0, name: 250, property: 1, member: 273), .save(0),
        .delete(0, name: 273), .fetch(4, entity: note, property: 1, value: nil),
        .relate(4, name: 273, property: 3, to: nil), .add(4, name: 242, property: 1, member: 256), .save(4),
        .obtain(4, name: 242), .delete(3, name: 242), .save(0), .save(3), .object(3, name: 242), .delete(3, name: 250),
        .save(3),
      ], world: .twoCoordinators),
    Script(
      "S2.4: a list that was read before a deletion has who comes back by undo only where that is restored",
      [
        .insert(1, entity: tag, name: 247), .insert(1, entity: tag, name: 252), .save(1), .fetchAll(0, entity: tag),
        .insert(3, entity: word, name: 291), .save(3), .save(2), .fetch(0, entity: word, property: 1, value: nil),
        .add(0, name: 252, property: 1, member: 291), .policy(0, .overwriteMergePolicyType), .delete(3, name: 291),
        .add(0, name: 247, property: 1, member: 291), .save(0), .save(3), .delete(0, name: 247), .save(2), .save(0),
        .delete(0, name: 291), .save(0), .undo(0),
      ],
      world: World(
        members: [.init(undoes: true), .init(undoes: true), .init(merges: true), .init(parent: 2)])),
    Script(
      "S8.1: a deletion without a row leaves the row alone that comes later, also where a change has filled the object",
      [
        .insert(0, entity: shelf, name: 1), .insert(0, entity: note, name: 2), .save(0),
        .policy(1, .mergeByPropertyObjectTrumpMergePolicyType), .fetchAll(1, entity: shelf), .fetchAll(1, entity: note),
        .set(1, name: 1, property: 0, value: 1), .relate(1, name: 2, property: 3, to: 1), .object(3, name: 1),
        .delete(0, name: 1), .save(0), .delete(3, name: 1), .process(3), .save(1), .fetchAll(3, entity: note),
        .relate(3, name: 2, property: 3, to: nil), .save(3),
      ], world: .twoCoordinators),
  ]
}
