/// Scripts about objects that are gone, and rows that came back.
extension FoundScriptTests {
  static let returning = [
    Script(
      "S2.4: an undone deletion leaves no change where a member is gone since",
      [
        .insert(0, entity: note, name: 161), .save(0), .fetchAll(2, entity: note), .insert(1, entity: word, name: 203),
        .save(1), .fetchAll(2, entity: word), .insert(1, entity: tag, name: 210), .insert(1, entity: note, name: 212),
        .relate(1, name: 203, property: 1, to: 212), .relate(2, name: 203, property: 1, to: 161), .save(1),
        .policy(2, .mergeByPropertyObjectTrumpMergePolicyType), .save(2), .add(1, name: 210, property: 1, member: 203),
        .policy(1, .rollbackMergePolicyType), .save(1), .delete(2, name: 203), .save(2), .merge(1, saveFromEnd: 0),
        .delete(1, name: 212), .undo(1),
      ], world: .undoing),
    Script(
      "S2.4: nor where undo itself finds the member gone",
      [
        .insert(3, entity: note, name: 139), .save(3), .insert(0, entity: shelf, name: 146), .save(2),
        .fetchAll(0, entity: note), .add(0, name: 146, property: 1, member: 139), .delete(2, name: 139), .save(0),
        .refresh(0, name: 139, merging: false), .save(2), .delete(0, name: 146), .undo(0),
      ],
      world: World(
        members: [.init(undoes: true), .init(undoes: true), .init(merges: true), .init(parent: 2, merges: true)])),
    Script(
      "S2.6: what was found gone changes no order",
      [
        .insert(3, entity: word, name: 64), .insert(0, entity: tag, name: 80), .insert(3, entity: tag, name: 81),
        .fetchAll(3, entity: tag), .add(3, name: 80, property: 1, member: 64), .insert(3, entity: word, name: 142),
        .insert(3, entity: word, name: 175), .add(3, name: 81, property: 1, member: 64),
        .add(3, name: 175, property: 2, member: 81), .add(3, name: 80, property: 1, member: 142), .save(3), .reset(3),
        .insert(3, entity: note, name: 189), .move(2, name: 80, property: 1, member: 64, to: 142),
        .insert(1, entity: tag, name: 204), .move(2, name: 80, property: 1, member: 64, to: 142),
        .insert(3, entity: word, name: 207), .save(1), .save(3), .relate(2, name: 175, property: 1, to: 189),
        .read(3, name: 189, property: 4), .move(2, name: 80, property: 1, member: 64, to: 142),
        .move(2, name: 80, property: 1, member: 142, to: 64), .existing(3, name: 204),
        .add(3, name: 204, property: 1, member: 175), .remove(3, name: 204, property: 1, member: 175),
        .remove(3, name: 81, property: 1, member: 207), .remove(3, name: 64, property: 2, member: 81),
        .add(3, name: 80, property: 1, member: 64), .delete(2, name: 142), .read(3, name: 142, property: 1),
        .remove(3, name: 80, property: 1, member: 64), .add(3, name: 80, property: 1, member: 64),
      ],
      world: World(
        members: [.init(), .init(merges: true), .init(parent: 0), .init(parent: 2)], isOrdered: true)),
    Script(
      "S5.2: with a deletion that is merged, changes that lead to what is gone for other reasons are none any more",
      [
        .insert(0, entity: note, name: 74), .insert(0, entity: note, name: 75), .insert(3, entity: note, name: 76),
        .insert(1, entity: word, name: 81), .insert(0, entity: cover, name: 91),
        .relate(0, name: 75, property: 2, to: 91), .insert(3, entity: word, name: 99), .fetchAll(2, entity: cover),
        .set(2, name: 91, property: 0, value: 0), .relate(0, name: 91, property: 1, to: 74),
        .policy(1, .overwriteMergePolicyType), .save(0), .fetchAll(3, entity: cover),
        .relate(3, name: 91, property: 1, to: 76), .relate(3, name: 99, property: 1, to: 75), .save(3),
        .relate(3, name: 76, property: 3, to: nil), .delete(2, name: 99), .delete(0, name: 75),
        .fetchAll(1, entity: note), .add(1, name: 75, property: 4, member: 81), .save(0),
        .set(0, name: 91, property: 0, value: 1), .save(1), .save(0), .merge(2, saveFromEnd: 2), .save(3),
        .delete(0, name: 91), .save(0), .merge(2, saveFromEnd: 0),
      ], world: .ordered),
    Script(
      "S5.2: what undo brought back stays as it is when another context has brought it back as well",
      [
        .insert(0, entity: note, name: 167), .save(0), .fetchAll(1, entity: note), .object(3, name: 167),
        .policy(2, .overwriteMergePolicyType), .insert(3, entity: cover, name: 260),
        .insert(0, entity: word, name: 263), .relate(3, name: 260, property: 1, to: 167), .save(3), .save(0),
        .insert(1, entity: word, name: 268), .fetchAll(2, entity: word), .save(1), .delete(1, name: 167), .save(1),
        .undo(1), .save(2), .relate(1, name: 268, property: 1, to: 167), .add(2, name: 167, property: 4, member: 263),
        .save(2), .merge(1, saveFromEnd: 0),
      ],
      world: World(
        members: [.init(merges: true, undoes: true), .init(undoes: true), .init(), .init(parent: 2)])),
    Script(
      "S4.4: who was deleted in the parent is no member for the child, though a merge policy kept the row",
      [
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .elsewhere(.insert(4, entity: tag, name: 10)),
        .insert(3, entity: note, name: 13), .insert(3, entity: tag, name: 27), .save(3),
        .elsewhere(.insert(4, entity: word, name: 28)), .save(2), .save(0),
        .elsewhere(.add(4, name: 10, property: 1, member: 28)), .elsewhere(.add(4, name: 27, property: 1, member: 28)),
        .delete(3, name: 27), .elsewhere(.insert(4, entity: tag, name: 35)), .save(3), .existing(3, name: 35),
        .elsewhere(.relate(4, name: 28, property: 1, to: 13)), .delete(2, name: 10), .elsewhere(.delete(4, name: 13)),
        .save(2), .save(0), .remove(3, name: 28, property: 2, member: 35),
      ],
      world: World(
        members: [
          .init(), .init(merges: true), .init(parent: 0), .init(parent: 2), .init(coordinator: 1, isElsewhere: true),
        ], isInFile: true)),
    Script(
      "S4.4: nor if another context brought the row back",
      [
        .insert(0, entity: tag, name: 178), .fetchAll(3, entity: tag), .insert(1, entity: tag, name: 180),
        .insert(1, entity: word, name: 187), .add(1, name: 180, property: 1, member: 187), .save(1),
        .fetch(0, entity: word, property: 1, value: nil), .insert(3, entity: tag, name: 219), .delete(0, name: 187),
        .insert(0, entity: word, name: 226), .insert(0, entity: note, name: 229), .fetchAll(2, entity: word),
        .insert(0, entity: word, name: 231), .add(0, name: 178, property: 1, member: 231),
        .relate(2, name: 226, property: 1, to: nil), .save(0), .relate(0, name: 226, property: 1, to: 229),
        .insert(0, entity: tag, name: 246), .read(3, name: 178, property: 1),
        .add(3, name: 219, property: 1, member: 231), .save(3), .add(0, name: 180, property: 1, member: 231),
        .add(2, name: 178, property: 1, member: 226), .fetchAll(1, entity: note),
        .add(0, name: 226, property: 2, member: 246), .delete(2, name: 178), .delete(1, name: 229), .save(0),
        .merge(1, saveFromEnd: 0), .save(1), .insert(1, entity: tag, name: 249), .insert(0, entity: word, name: 266),
        .process(2), .add(0, name: 266, property: 2, member: 246), .merge(0, saveFromEnd: 0),
        .insert(1, entity: word, name: 283), .fetch(3, entity: word, property: 1, value: nil),
        .add(0, name: 180, property: 1, member: 266), .save(0), .add(1, name: 180, property: 1, member: 283),
        .add(1, name: 266, property: 2, member: 249), .delete(0, name: 246),
        .policy(1, .mergeByPropertyObjectTrumpMergePolicyType), .delete(1, name: 266), .save(0), .delete(3, name: 226),
        .save(1), .process(3),
      ],
      world: World(
        members: [.init(), .init(), .init(parent: 0, merges: true), .init(parent: 2, merges: true)], isOrdered: true)),
    Script(
      "S2.1: a delete rule reaches who came back under the ID of a deleted object",
      [
        .insert(2, entity: note, name: 83), .policy(1, .mergeByPropertyObjectTrumpMergePolicyType),
        .insert(2, entity: shelf, name: 98), .add(2, name: 98, property: 1, member: 83), .save(2), .save(0),
        .delete(0, name: 98), .object(1, name: 98), .set(1, name: 98, property: 0, value: 2), .save(1),
        .read(1, name: 98, property: 1), .relate(1, name: 83, property: 3, to: nil), .save(1),
        .insert(3, entity: note, name: 104), .save(3), .policy(0, .overwriteMergePolicyType),
        .set(1, name: 98, property: 0, value: nil), .remote(0, saveFromEnd: 2), .save(0), .save(1),
        .delete(0, name: 83), .save(0),
      ]),
    Script(
      "S3.3: each of two rows that come back with one save gets a version of its own",
      [
        .insert(0, entity: word, name: 72), .save(0), .fetch(2, entity: word, property: 1, value: nil),
        .insert(0, entity: tag, name: 82), .add(0, name: 82, property: 1, member: 72), .save(0), .delete(2, name: 72),
        .save(2), .set(2, name: 82, property: 0, value: 2), .save(2), .fetch(1, entity: tag, property: 0, value: 2),
        .policy(1, .overwriteMergePolicyType), .insert(1, entity: tag, name: 148), .insert(1, entity: word, name: 155),
        .save(1), .fetchAll(3, entity: tag), .delete(3, name: 82), .delete(3, name: 148),
        .policy(2, .overwriteMergePolicyType), .add(1, name: 148, property: 1, member: 155),
        .remove(1, name: 155, property: 2, member: 82), .add(1, name: 82, property: 1, member: 155), .save(1), .save(3),
        .delete(1, name: 155), .save(2), .save(1),
      ], world: .undoing),
    Script(
      "S3.3: the same beside another process",
      [
        .insert(1, entity: tag, name: 187), .elsewhere(.insert(4, entity: tag, name: 190)),
        .elsewhere(.insert(4, entity: word, name: 192)), .fetchAll(2, entity: word), .save(1),
        .elsewhere(.add(4, name: 192, property: 2, member: 190)), .delete(0, name: 192),
        .elsewhere(.add(4, name: 187, property: 1, member: 192)), .save(0), .elsewhere(.delete(4, name: 187)),
        .elsewhere(.delete(4, name: 190)), .policy(0, .overwriteMergePolicyType), .save(0),
      ],
      world: World(
        members: [
          .init(), .init(), .init(parent: 0, merges: true), .init(parent: 2), .init(coordinator: 1, isElsewhere: true),
        ], isInFile: true)),
    Script(
      "S3.1: every reference to what never was is refused, also after an earlier owner's deletion was merged",
      [
        .insert(4, entity: note, name: 9), .insert(4, entity: note, name: 17), .insert(2, entity: note, name: 23),
        .save(4), .save(3), .save(2), .save(0), .remote(2, saveFromEnd: 2), .insert(4, entity: shelf, name: 35),
        .save(4), .relate(2, name: 23, property: 3, to: nil), .save(3), .save(2), .merge(0, saveFromEnd: 1),
        .relate(0, name: 9, property: 3, to: 35), .save(0), .merge(3, saveFromEnd: 0),
        .insert(2, entity: shelf, name: 41), .relate(2, name: 9, property: 3, to: 41), .delete(2, name: 35),
        .insert(4, entity: shelf, name: 47), .add(4, name: 47, property: 1, member: 17), .save(4), .save(2),
        .add(3, name: 47, property: 1, member: 9), .delete(3, name: 47), .save(0), .merge(3, saveFromEnd: 0), .save(3),
      ], world: .twoCoordinators),
    Script(
      "S3.1: a reference to what never was is refused before conflicts are looked for",
      [
        .insert(0, entity: shelf, name: 242), .insert(1, entity: note, name: 243), .insert(1, entity: shelf, name: 244),
        .add(1, name: 244, property: 1, member: 243), .save(1), .fetchAll(0, entity: shelf), .delete(0, name: 244),
        .save(0), .insert(1, entity: shelf, name: 251), .add(0, name: 242, property: 1, member: 243),
        .add(1, name: 251, property: 1, member: 243), .save(0), .merge(1, saveFromEnd: 0),
        .set(0, name: 243, property: 0, value: 0), .save(0), .delete(1, name: 251), .save(1),
      ]),
    Script(
      "S3.1: the same between two coordinators",
      [
        .insert(3, entity: shelf, name: 1), .save(3), .delete(3, name: 1), .process(3), .merge(0, saveFromEnd: 0),
        .insert(0, entity: tag, name: 12), .insert(0, entity: note, name: 13),
        .add(0, name: 1, property: 1, member: 13), .save(0), .set(1, name: 12, property: 0, value: 0),
        .set(0, name: 1, property: 0, value: 3), .fetch(2, entity: shelf, property: 0, value: 3),
        .insert(2, entity: shelf, name: 24), .read(2, name: 1, property: 1), .relate(2, name: 13, property: 3, to: 24),
        .set(0, name: 12, property: 0, value: 3), .save(2), .save(1), .delete(0, name: 24),
        .policy(3, .overwriteMergePolicyType), .save(3), .merge(0, saveFromEnd: 0), .save(0),
      ],
      world: World(
        members: [
          .init(), .init(merges: true), .init(parent: 0), .init(coordinator: 1), .init(parent: 3, coordinator: 1),
        ], isInFile: true)),
    Script(
      "S8.1: deleting what was gone leaves a row alone that came back since",
      [
        .insert(0, entity: word, name: 20), .insert(2, entity: note, name: 42), .save(2),
        .insert(0, entity: cover, name: 69), .save(0), .fetchAll(0, entity: note),
        .relate(0, name: 20, property: 1, to: 42), .object(2, name: 69), .relate(2, name: 69, property: 1, to: 42),
        .save(2), .save(0), .read(2, name: 42, property: 4), .existing(1, name: 69),
        .relate(1, name: 69, property: 1, to: nil), .delete(1, name: 42), .delete(2, name: 69), .save(1), .undo(1),
        .delete(2, name: 20), .save(2), .policy(2, .mergeByPropertyStoreTrumpMergePolicyType), .save(1), .save(2),
      ],
      world: World(
        members: [.init(merges: true, undoes: true), .init(undoes: true), .init(), .init(parent: 2)])),
    Script(
      "S2.6: an arrangement that the parent has as well is none any more",
      [
        .insert(3, entity: tag, name: 3), .insert(0, entity: word, name: 12), .insert(3, entity: word, name: 35),
        .insert(1, entity: tag, name: 39), .save(1), .fetchAll(3, entity: word),
        .fetch(2, entity: tag, property: 0, value: nil), .add(3, name: 3, property: 1, member: 12), .save(3),
        .add(2, name: 39, property: 1, member: 12), .add(3, name: 12, property: 2, member: 3),
        .insert(1, entity: cover, name: 62), .insert(1, entity: tag, name: 63), .insert(1, entity: word, name: 65),
        .insert(1, entity: word, name: 71), .insert(0, entity: note, name: 72), .insert(1, entity: note, name: 73),
        .relate(1, name: 62, property: 1, to: 73), .add(1, name: 63, property: 1, member: 71), .save(1),
        .add(1, name: 65, property: 2, member: 63), .insert(1, entity: word, name: 81), .fetchAll(0, entity: word),
        .save(1), .fetchAll(3, entity: cover), .relate(3, name: 62, property: 1, to: nil),
        .relate(0, name: 65, property: 1, to: 72), .add(1, name: 81, property: 2, member: 63),
        .insert(3, entity: word, name: 84), .object(3, name: 63), .add(3, name: 63, property: 1, member: 35),
        .remove(3, name: 73, property: 4, member: 65), .add(3, name: 72, property: 4, member: 71),
        .add(3, name: 84, property: 2, member: 39), .save(1), .add(3, name: 72, property: 4, member: 84), .save(3),
        .insert(0, entity: note, name: 91), .insert(0, entity: note, name: 93), .fetchAll(2, entity: note),
        .add(2, name: 91, property: 4, member: 81), .fetch(3, entity: word, property: 0, value: nil),
        .relate(3, name: 81, property: 1, to: nil), .insert(3, entity: word, name: 99),
        .insert(3, entity: word, name: 103), .add(3, name: 91, property: 4, member: 99),
        .add(0, name: 72, property: 4, member: 71), .save(3), .relate(2, name: 84, property: 1, to: 93), .save(0),
        .merge(2, saveFromEnd: 0), .read(3, name: 72, property: 4), .merge(2, saveFromEnd: 0), .reset(3),
        .insert(1, entity: note, name: 118), .insert(3, entity: note, name: 121),
        .add(0, name: 93, property: 4, member: 71), .add(2, name: 72, property: 4, member: 103),
        .insert(1, entity: word, name: 128), .fetchAll(3, entity: tag), .add(1, name: 118, property: 4, member: 128),
        .insert(3, entity: word, name: 131), .save(1), .add(3, name: 39, property: 1, member: 131),
        .add(3, name: 121, property: 4, member: 84), .fetchAll(3, entity: word), .save(0),
        .add(3, name: 93, property: 4, member: 99), .add(3, name: 91, property: 4, member: 128),
        .add(3, name: 118, property: 4, member: 103), .merge(2, saveFromEnd: 0), .read(3, name: 72, property: 4),
      ],
      world: World(
        members: [.init(), .init(), .init(parent: 0), .init(parent: 2, merges: true)], isOrdered: true)),
    Script(
      "S2.4: an undo takes no member out that was deleted, though a list that was read has it still",
      [
        .insert(0, entity: note, name: 132), .save(0), .insert(0, entity: shelf, name: 171), .object(3, name: 132),
        .set(3, name: 132, property: 1, value: 2), .relate(0, name: 132, property: 3, to: 171), .save(3),
        .policy(2, .overwriteMergePolicyType), .save(0), .save(2), .merge(0, saveFromEnd: 0), .delete(0, name: 132),
        .save(0), .delete(0, name: 171), .undo(0),
      ], world: .undoing),
    Script(
      "S3.1: a reference to what never was is refused, also where a child has asked for it meanwhile",
      [
        .insert(2, entity: shelf, name: 240), .insert(2, entity: note, name: 252),
        .add(2, name: 240, property: 1, member: 252), .save(2), .refresh(2, name: 240, merging: false),
        .delete(0, name: 240), .save(0), .insert(1, entity: shelf, name: 271), .save(1),
        .relate(2, name: 252, property: 3, to: nil), .fetchAll(0, entity: shelf),
        .remove(0, name: 271, property: 1, member: 252), .save(0),
      ], world: .twoCoordinators),
    Script(
      "S8.1: what was deleted without a row does not delete the row that comes later",
      [
        .insert(2, entity: shelf, name: 122), .save(2), .insert(1, entity: shelf, name: 157), .save(1),
        .set(1, name: 157, property: 0, value: 1), .save(0), .fetchAll(3, entity: shelf), .delete(0, name: 122),
        .save(0), .set(3, name: 122, property: 0, value: 1), .existing(0, name: 157), .delete(3, name: 157),
        .delete(0, name: 157), .save(1), .object(0, name: 122), .delete(0, name: 122), .save(0),
        .policy(3, .overwriteMergePolicyType), .save(3), .remote(2, saveFromEnd: 0), .save(0),
      ], world: .twoCoordinators),
    Script(
      "S2.1: a deletion that is followed again asks who came back, not the one that is gone",
      [
        .insert(0, entity: note, name: 1), .insert(0, entity: word, name: 2), .save(0), .fetchAll(1, entity: note),
        .fetchAll(3, entity: note), .fetchAll(3, entity: word), .policy(1, .mergeByPropertyObjectTrumpMergePolicyType),
        .set(1, name: 1, property: 1, value: 1), .relate(3, name: 2, property: 1, to: 1), .delete(3, name: 1),
        .process(3), .delete(0, name: 1), .save(0), .remote(3, saveFromEnd: 0), .save(1),
        .set(0, name: 2, property: 0, value: 1), .save(0), .remote(3, saveFromEnd: 0), .process(3),
      ], world: .twoCoordinators),
    Script(
      "S3.1, S3.4: who is a member of one that vanished is a member of the object that comes back under its ID",
      [
        .policy(2, .overwriteMergePolicyType), .insert(2, entity: note, name: 131),
        .insert(1, entity: shelf, name: 138),
        .save(1), .save(2), .insert(0, entity: word, name: 147), .save(0), .fetchAll(1, entity: note),
        .fetchAll(1, entity: word), .existing(3, name: 138), .set(3, name: 138, property: 0, value: 2), .save(3),
        .delete(1, name: 138), .save(1), .undo(1), .delete(1, name: 147), .undo(1),
        .add(1, name: 138, property: 1, member: 131), .delete(1, name: 138), .save(2), .save(1),
      ],
      world: World(
        members: [.init(undoes: true), .init(merges: true, undoes: true), .init(), .init(parent: 2)])),
    Script(
      "S3.1: an object with a permanent ID that vanishes before its first save changes no other object",
      [
        .insert(0, entity: shelf, name: 1), .insert(0, entity: shelf, name: 2), .insert(0, entity: note, name: 3),
        .add(0, name: 1, property: 1, member: 3), .save(0), .fetchAll(1, entity: note), .delete(1, name: 3),
        .add(0, name: 2, property: 1, member: 3), .save(1), .refresh(0, name: 1, merging: true),
        .read(0, name: 1, property: 1), .insert(0, entity: word, name: 4), .obtain(0, name: 4), .delete(0, name: 4),
        .save(0),
      ]),
    Script(
      "S3.4: an object that is written whole leads to the one that came back under its target's ID",
      [
        .insert(0, entity: shelf, name: 1), .insert(0, entity: shelf, name: 2), .insert(0, entity: note, name: 3),
        .add(0, name: 1, property: 1, member: 3), .save(0), .fetchAll(1, entity: note), .fetchAll(1, entity: shelf),
        .add(1, name: 2, property: 1, member: 3), .save(1), .set(1, name: 1, property: 0, value: 1),
        .read(0, name: 3, property: 3), .refresh(0, name: 1, merging: false), .delete(0, name: 1), .save(0),
        .policy(1, .overwriteMergePolicyType), .save(1), .policy(0, .overwriteMergePolicyType),
        .set(0, name: 3, property: 0, value: 1), .save(0),
      ]),
    Script(
      "S2.1, S8.1: a deletion that is followed again reaches an object that came back and leads to it",
      [
        .insert(0, entity: note, name: 1), .insert(0, entity: cover, name: 2), .save(0), .fetchAll(2, entity: note),
        .fetchAll(2, entity: cover), .set(2, name: 1, property: 1, value: 1), .fetchAll(1, entity: note),
        .delete(1, name: 1), .save(1), .refresh(0, name: 1, merging: false), .read(0, name: 1, property: 4),
        .delete(0, name: 2), .process(0), .policy(2, .overwriteMergePolicyType), .save(2),
        .relate(2, name: 1, property: 2, to: 2), .save(2), .merge(0, saveFromEnd: 0), .save(0),
      ], world: World(members: [.init(), .init(), .init()])),
    Script(
      "S8.1: what a child deletes as a fault, with an older row at hand, leaves the row alone that comes back",
      [
        .insert(1, entity: shelf, name: 81), .save(1), .policy(1, .overwriteMergePolicyType),
        .fetchAll(3, entity: shelf), .insert(1, entity: shelf, name: 191), .insert(1, entity: note, name: 194),
        .add(1, name: 191, property: 1, member: 194), .save(1), .set(3, name: 81, property: 0, value: nil),
        .fetchAll(2, entity: shelf), .delete(2, name: 191), .save(3), .delete(0, name: 194), .save(0),
        .delete(2, name: 194), .set(3, name: 81, property: 0, value: nil), .save(3),
        .set(1, name: 194, property: 1, value: 0), .save(1), .existing(2, name: 194),
        .set(0, name: 194, property: 0, value: 2), .save(0), .merge(2, saveFromEnd: 0),
      ],
      world: World(
        members: [.init(), .init(), .init(parent: 0), .init(parent: 2)], isInFile: true, keepsHistory: true)),
    Script(
      "S5.2: a merged deletion leaves members as they were read that are gone for other reasons",
      [
        .insert(4, entity: tag, name: 310), .policy(1, .mergeByPropertyStoreTrumpMergePolicyType), .save(4),
        .insert(1, entity: tag, name: 324), .save(1), .save(3), .insert(1, entity: word, name: 347),
        .fetchAll(2, entity: tag), .save(1), .remote(3, saveFromEnd: 0), .insert(3, entity: note, name: 358),
        .fetchAll(4, entity: tag), .save(3), .delete(3, name: 347),
        .fetch(2, entity: word, property: 1, value: nil), .set(1, name: 324, property: 0, value: 1),
        .delete(4, name: 324), .add(2, name: 347, property: 2, member: 324), .fetchAll(2, entity: note), .save(2),
        .save(0), .add(2, name: 358, property: 4, member: 347), .save(2), .policy(3, .overwriteMergePolicyType),
        .save(3), .save(1), .set(2, name: 324, property: 0, value: 0), .save(4), .save(3),
        .set(3, name: 310, property: 0, value: 0), .save(2), .save(0), .refresh(0, name: 324, merging: false),
        .read(0, name: 324, property: 1), .save(3), .delete(3, name: 310), .save(3), .merge(0, saveFromEnd: 0),
        .letGo(0), .delete(2, name: 324), .process(2),
      ],
      world: World(
        members: [.init(), .init(), .init(parent: 0), .init(coordinator: 1), .init(parent: 3, coordinator: 1)],
        isInFile: true, keepsHistory: true)),
    Script(
      "S3.4: an object that is inserted again is an addition of its owner's",
      [
        .insert(2, entity: note, name: 9), .save(2), .insert(0, entity: note, name: 127),
        .insert(1, entity: tag, name: 155), .insert(1, entity: word, name: 162), .insert(1, entity: word, name: 168),
        .add(1, name: 155, property: 1, member: 168), .save(1), .fetchAll(0, entity: tag),
        .read(0, name: 155, property: 1), .insert(1, entity: note, name: 172),
        .add(0, name: 9, property: 4, member: 168), .fetchAll(0, entity: word), .save(0), .merge(1, saveFromEnd: 0),
        .add(0, name: 9, property: 4, member: 162), .policy(1, .overwriteMergePolicyType),
        .add(0, name: 127, property: 4, member: 168), .delete(0, name: 127),
        .add(1, name: 172, property: 4, member: 162), .save(0), .delete(1, name: 172), .save(1),
        .set(0, name: 162, property: 0, value: 0), .policy(0, .mergeByPropertyObjectTrumpMergePolicyType), .save(0),
        .read(1, name: 9, property: 4), .set(1, name: 168, property: 0, value: 0), .save(1),
      ],
      world: World(members: [.init(), .init(), .init(parent: 0), .init(parent: 2)], isOrdered: true)),
  ]
}
