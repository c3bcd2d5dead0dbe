/// Scripts in which the two sides of a relationship did not say the same.
extension FoundScriptTests {
  static let bothSides = [
    Script(
      "S3.4: who lost a member to a deletion that is taken back is not written, though the pair is gone from the store",
      [
        .insert(0, entity: tag, name: 1), .insert(0, entity: word, name: 2), .add(0, name: 1, property: 1, member: 2),
        .save(0), .fetchAll(2, entity: word), .read(2, name: 2, property: 2), .read(2, name: 1, property: 1),
        .fetchAll(1, entity: tag), .read(1, name: 1, property: 1), .remove(1, name: 1, property: 1, member: 2),
        .save(1), .refresh(0, name: 1, merging: true), .set(1, name: 1, property: 0, value: 3), .save(1),
        .delete(2, name: 1),
        .save(2), .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .save(0),
      ]),
    Script(
      "S2.6: a move that only a newer row makes one is an addition",
      [
        .insert(0, entity: note, name: 1), .insert(0, entity: word, name: 2), .insert(0, entity: note, name: 3),
        .relate(0, name: 2, property: 1, to: 1), .save(0), .fetchAll(1, entity: word), .fetchAll(1, entity: note),
        .relate(1, name: 2, property: 1, to: 3), .save(1), .relate(0, name: 2, property: 1, to: 3),
        .relate(0, name: 2, property: 1, to: 1), .merge(0, saveFromEnd: 0), .read(0, name: 1, property: 4),
      ]),
    Script(
      "S2.6: a member that the parent had meanwhile, and lost again, stays where it is led",
      [
        .insert(0, entity: word, name: 4), .save(0), .insert(3, entity: note, name: 11),
        .insert(0, entity: note, name: 13), .save(3), .insert(2, entity: word, name: 17),
        .insert(1, entity: note, name: 28), .object(2, name: 4), .save(2), .insert(2, entity: word, name: 32), .save(1),
        .fetchAll(0, entity: note), .relate(0, name: 4, property: 1, to: 28),
        .add(0, name: 28, property: 4, member: 17),
        .add(2, name: 11, property: 4, member: 4), .add(2, name: 28, property: 4, member: 17),
        .read(2, name: 28, property: 4), .relate(0, name: 17, property: 1, to: nil), .remote(2, saveFromEnd: 0),
        .fetchAll(2, entity: note), .add(2, name: 28, property: 4, member: 32),
        .add(2, name: 13, property: 4, member: 32),
      ]),
    Script(
      "S2.6: both sides of a pair forget a change that the store has got meanwhile",
      [
        .insert(0, entity: word, name: 1), .insert(0, entity: tag, name: 2), .add(0, name: 2, property: 1, member: 1),
        .save(0), .fetchAll(1, entity: tag), .read(1, name: 2, property: 1),
        .remove(0, name: 2, property: 1, member: 1),
        .remove(1, name: 2, property: 1, member: 1), .save(1), .merge(0, saveFromEnd: 0),
        .read(0, name: 2, property: 1),
        .add(1, name: 2, property: 1, member: 1), .save(1), .merge(0, saveFromEnd: 0), .read(0, name: 2, property: 1),
        .read(0, name: 1, property: 2), .save(0),
      ]),
    Script(
      "S2.6: a member that left by its own side and came back to its place has changed nothing",
      [
        .insert(0, entity: note, name: 7), .insert(0, entity: word, name: 48), .insert(0, entity: word, name: 45),
        .add(0, name: 7, property: 4, member: 48), .save(0), .fetchAll(1, entity: note), .fetchAll(1, entity: word),
        .add(1, name: 7, property: 4, member: 45), .add(0, name: 7, property: 4, member: 45), .save(0),
        .merge(1, saveFromEnd: 0), .relate(1, name: 45, property: 1, to: nil),
        .add(1, name: 7, property: 4, member: 45),
        .save(1),
      ], world: .ordered),
    Script(
      "S2.4: what is undone takes the place of a fault that was made of its ID",
      [
        .insert(0, entity: tag, name: 1), .save(0), .delete(0, name: 1), .save(0), .object(0, name: 1), .undo(0),
      ], world: .undoing),
    Script(
      "S2.4: who has a member back by an undo is changed",
      [
        .insert(1, entity: shelf, name: 1), .save(1), .insert(1, entity: note, name: 2),
        .relate(1, name: 2, property: 3, to: 1), .save(1), .remove(1, name: 1, property: 1, member: 2), .save(1),
        .undo(1),
      ], world: .undoing),
  ]
}
