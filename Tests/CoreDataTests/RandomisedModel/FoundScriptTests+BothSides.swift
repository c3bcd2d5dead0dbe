/// Scripts in which the two sides of a relationship did not say the same.
extension FoundScriptTests {
  static let bothSides = [
    Script(
      "S4.3: who is back in the parent is listed in a child instead of who was found gone, whichever keys they have",
      [
        .insert(4, entity: note, name: 296), .insert(2, entity: cover, name: 327), .insert(2, entity: note, name: 333),
        .save(2), .relate(0, name: 327, property: 1, to: 333), .relate(2, name: 327, property: 1, to: 333), .save(4),
        .save(0), .fetchAll(4, entity: cover), .save(2), .delete(0, name: 333), .refresh(2, name: 333, merging: true),
        .relate(3, name: 327, property: 1, to: 296), .save(3), .policy(0, .rollbackMergePolicyType),
        .relate(2, name: 327, property: 1, to: nil), .save(0), .fetchAll(2, entity: note),
      ], world: .twoCoordinators),
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
      "S2.6: an order that is set again adds no member that is gone",
      [
        .insert(0, entity: word, name: 53), .insert(0, entity: word, name: 86), .insert(0, entity: note, name: 92),
        .relate(0, name: 86, property: 1, to: 92), .save(0), .policy(1, .rollbackMergePolicyType),
        .fetchAll(1, entity: note), .read(1, name: 92, property: 4), .set(0, name: 92, property: 1, value: 3),
        .delete(1, name: 86), .save(0), .save(1), .set(0, name: 92, property: 1, value: 1), .save(0),
        .refresh(0, name: 86, merging: true), .merge(0, saveFromEnd: 1), .relate(0, name: 53, property: 1, to: 92),
        .save(0), .move(0, name: 92, property: 4, member: 53, to: 53), .save(0),
      ], world: .ordered),
    Script(
      "S2.6: who is deleted here stays removed, though the parent had the deletion as well and took it back",
      [
        .insert(0, entity: tag, name: 1), .insert(0, entity: word, name: 2), .add(0, name: 1, property: 1, member: 2),
        .save(0), .fetchAll(2, entity: word), .read(2, name: 2, property: 2), .fetchAll(1, entity: word),
        .delete(0, name: 2), .process(0), .delete(2, name: 2), .process(2), .read(2, name: 1, property: 1),
        .set(1, name: 2, property: 0, value: 5), .save(1), .policy(0, .mergeByPropertyStoreTrumpMergePolicyType),
        .save(0), .refresh(2, name: 1, merging: true), .read(2, name: 1, property: 1),
      ]),
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
    Script(
      "S2.6: who is led here only by the other side stays a member when a newer row of this side comes",
      [
        .insert(0, entity: note, name: 43), .insert(0, entity: word, name: 56), .insert(0, entity: note, name: 57),
        .save(0), .object(2, name: 56), .fetch(2, entity: note, property: 3, value: nil),
        .add(0, name: 57, property: 4, member: 56), .set(2, name: 57, property: 0, value: nil),
        .relate(2, name: 56, property: 1, to: 57), .relate(0, name: 56, property: 1, to: 43), .merge(2, saveFromEnd: 0),
        .insert(3, entity: word, name: 61), .insert(3, entity: note, name: 71), .save(3),
        .relate(2, name: 61, property: 1, to: 57), .relate(2, name: 61, property: 1, to: 71),
      ]),
    Script(
      "S2.6: a pair that is taken out and added again is an addition on both sides, if the store lost it meanwhile",
      [
        .insert(1, entity: tag, name: 17), .insert(0, entity: tag, name: 58), .save(0), .save(1),
        .policy(1, .mergeByPropertyObjectTrumpMergePolicyType), .insert(3, entity: word, name: 72),
        .fetchAll(4, entity: tag), .set(4, name: 17, property: 0, value: nil), .save(4), .object(1, name: 58),
        .add(3, name: 17, property: 1, member: 72), .read(4, name: 17, property: 1),
        .add(4, name: 58, property: 1, member: 72), .save(4), .save(3), .read(1, name: 58, property: 1),
        .remove(3, name: 58, property: 1, member: 72), .save(3), .remove(1, name: 58, property: 1, member: 72),
        .add(1, name: 58, property: 1, member: 72), .save(1),
      ], world: .twoCoordinators),
    Script(
      "S2.4: an undo restores a pair on both sides, if the store lost it meanwhile",
      [
        .insert(1, entity: note, name: 16), .save(1), .insert(2, entity: word, name: 61),
        .fetch(0, entity: note, property: 2, value: nil), .insert(3, entity: tag, name: 91), .save(3), .save(2),
        .insert(0, entity: tag, name: 92), .add(2, name: 91, property: 1, member: 61), .fetchAll(0, entity: word),
        .save(0), .policy(0, .rollbackMergePolicyType), .add(0, name: 92, property: 1, member: 61),
        .fetchAll(3, entity: tag), .save(0), .remote(2, saveFromEnd: 0), .delete(3, name: 92), .save(3), .save(2),
        .add(0, name: 16, property: 4, member: 61), .save(0), .delete(0, name: 92), .undo(0), .save(0),
      ], world: .undoing),
    Script(
      "S2.4: who changed while it was deleted is updated when the deletion is taken back",
      [
        .insert(0, entity: note, name: 348), .insert(0, entity: shelf, name: 354),
        .add(0, name: 354, property: 1, member: 348), .save(0), .fetch(1, entity: note, property: 0, value: nil),
        .insert(2, entity: cover, name: 374), .delete(1, name: 348), .insert(0, entity: note, name: 391), .save(1),
        .save(0), .fetch(1, entity: note, property: 0, value: nil), .save(2),
        .add(1, name: 354, property: 1, member: 391), .save(1), .remote(0, saveFromEnd: 2),
        .insert(0, entity: shelf, name: 420), .delete(0, name: 354), .redo(0),
        .add(0, name: 420, property: 1, member: 391), .undo(0), .undo(0),
      ], world: .undoing),
    Script(
      "S2.4: an undo leads nowhere where the object is gone",
      [
        .insert(0, entity: note, name: 171), .save(0), .insert(1, entity: shelf, name: 174),
        .fetch(3, entity: note, property: 0, value: nil), .insert(1, entity: word, name: 200),
        .insert(1, entity: word, name: 203), .save(1), .fetchAll(3, entity: shelf),
        .set(1, name: 200, property: 0, value: 1), .relate(3, name: 171, property: 3, to: 174), .save(1), .save(3),
        .insert(0, entity: shelf, name: 215), .insert(0, entity: cover, name: 218), .save(0),
        .policy(1, .mergeByPropertyStoreTrumpMergePolicyType), .insert(0, entity: note, name: 219),
        .relate(0, name: 218, property: 1, to: 219), .save(2), .save(0), .add(0, name: 215, property: 1, member: 219),
        .save(0), .insert(1, entity: tag, name: 223), .delete(2, name: 174), .existing(2, name: 219),
        .delete(2, name: 219), .save(1), .insert(0, entity: note, name: 244), .save(0), .fetchAll(0, entity: word),
        .letGo(1), .add(0, name: 219, property: 4, member: 203), .save(2), .fetchAll(1, entity: word), .save(0),
        .delete(1, name: 203), .undo(1), .relate(1, name: 219, property: 2, to: nil), .remote(3, saveFromEnd: 3),
        .add(2, name: 215, property: 1, member: 171), .save(2), .save(1), .delete(1, name: 203), .undo(1),
      ], world: .undoing),
    Script(
      "S2.6: who is gone loses no partner, though a fault was made of its ID and deleted since",
      [
        .insert(1, entity: note, name: 350), .save(1), .insert(0, entity: cover, name: 358),
        .fetchAll(0, entity: note), .insert(1, entity: cover, name: 365), .save(1), .fetchAll(0, entity: cover),
        .policy(1, .overwriteMergePolicyType), .relate(0, name: 365, property: 1, to: 350), .save(0),
        .set(1, name: 350, property: 0, value: 2), .save(1), .set(0, name: 350, property: 1, value: 3),
        .policy(0, .rollbackMergePolicyType), .save(0), .relate(0, name: 350, property: 2, to: 358),
        .delete(0, name: 365), .fetchAll(3, entity: note), .save(0), .delete(0, name: 350), .delete(3, name: 350),
        .save(0), .insert(1, entity: note, name: 447), .save(1), .save(3), .delete(0, name: 350),
        .fetchAll(0, entity: note), .relate(0, name: 447, property: 2, to: 358),
      ]),
    Script(
      "S8.1: members of an ordered relationship leave what is deleted in their order",
      [
        .insert(1, entity: tag, name: 313), .insert(1, entity: word, name: 317),
        .add(1, name: 313, property: 1, member: 317), .insert(3, entity: word, name: 321),
        .insert(1, entity: word, name: 323), .insert(3, entity: word, name: 347),
        .add(1, name: 323, property: 2, member: 313), .save(1), .fetchAll(3, entity: tag),
        .add(3, name: 313, property: 1, member: 347), .save(3), .insert(0, entity: tag, name: 349),
        .add(0, name: 349, property: 1, member: 317), .add(3, name: 317, property: 2, member: 313),
        .add(0, name: 323, property: 2, member: 349), .add(2, name: 321, property: 2, member: 349), .save(0),
        .policy(0, .mergeByPropertyObjectTrumpMergePolicyType), .read(1, name: 323, property: 2),
        .remove(1, name: 349, property: 1, member: 323), .save(1), .delete(3, name: 349),
        .set(0, name: 349, property: 0, value: 2), .process(3), .save(0), .remote(3, saveFromEnd: 0), .save(3),
      ],
      world: World(
        members: [.init(), .init(merges: true), .init(parent: 0), .init(parent: 2)], isOrdered: true)),
    Script(
      "S2.6: who left an arranged relationship by its own side leaves no change of the order",
      [
        .insert(1, entity: note, name: 137), .insert(1, entity: word, name: 138), .insert(1, entity: shelf, name: 139),
        .save(1), .insert(0, entity: word, name: 156), .fetch(0, entity: shelf, property: 0, value: nil),
        .add(1, name: 139, property: 1, member: 137), .insert(0, entity: note, name: 162),
        .add(1, name: 137, property: 4, member: 138), .save(1), .relate(0, name: 156, property: 1, to: 162), .save(0),
        .fetchAll(1, entity: word), .delete(0, name: 139), .save(0), .add(1, name: 137, property: 4, member: 156),
        .save(1), .merge(0, saveFromEnd: 0), .remove(0, name: 137, property: 4, member: 156),
        .add(1, name: 162, property: 4, member: 138), .add(1, name: 162, property: 4, member: 156),
        .add(0, name: 137, property: 4, member: 156), .save(1), .add(1, name: 137, property: 4, member: 138),
        .remote(2, saveFromEnd: 0), .remove(0, name: 162, property: 4, member: 138), .save(1),
        .remove(0, name: 137, property: 4, member: 156),
      ],
      world: World(
        members: [.init(), .init(merges: true), .init(parent: 0), .init(parent: 2)], isOrdered: true)),
    Script(
      "S2.6, S4.1: members with places that are not read are pushed in the order that they have here",
      [
        .insert(0, entity: note, name: 1), .insert(0, entity: word, name: 2), .insert(0, entity: word, name: 3),
        .insert(0, entity: word, name: 4), .save(0), .fetchAll(1, entity: word), .fetchAll(3, entity: note),
        .fetchAll(3, entity: word), .set(3, name: 3, property: 0, value: 1), .add(3, name: 1, property: 4, member: 2),
        .add(3, name: 1, property: 4, member: 4), .relate(0, name: 4, property: 1, to: 1),
        .set(1, name: 4, property: 0, value: 1), .save(1), .remote(3, saveFromEnd: 0),
        .add(3, name: 1, property: 4, member: 3), .save(3),
      ], world: .ordered),
    Script(
      "S2.6, S4.1: an arrangement of which a deletion leaves the old order is laid over the parent's newer one",
      [
        .insert(0, entity: tag, name: 1), .insert(0, entity: word, name: 2), .insert(0, entity: word, name: 3),
        .insert(0, entity: word, name: 4), .add(0, name: 1, property: 1, member: 2),
        .add(0, name: 1, property: 1, member: 3), .add(0, name: 1, property: 1, member: 4), .save(0),
        .fetchAll(2, entity: tag), .read(2, name: 1, property: 1), .move(2, name: 1, property: 1, member: 2, to: 4),
        .read(0, name: 1, property: 1), .move(0, name: 1, property: 1, member: 3, to: 4), .save(0),
        .delete(2, name: 2), .save(2),
      ], world: World(members: [.init(), .init(), .init(parent: 0, merges: true)], isOrdered: true)),
    Script(
      "S2.6, S4.1: a child's removal of an object that is gone above reads no members there",
      [
        .insert(0, entity: word, name: 1), .insert(0, entity: tag, name: 2), .insert(0, entity: tag, name: 3),
        .add(0, name: 1, property: 2, member: 2), .add(0, name: 1, property: 2, member: 3), .save(0),
        .fetchAll(2, entity: tag), .fetchAll(2, entity: word), .read(2, name: 2, property: 1),
        .read(2, name: 1, property: 0), .fetchAll(3, entity: tag), .delete(3, name: 2), .save(3),
        .merge(0, saveFromEnd: 0), .set(3, name: 3, property: 0, value: 1), .save(3),
        .refresh(0, name: 1, merging: false), .delete(2, name: 2), .save(2),
      ], world: .twoCoordinators),
  ]
}
