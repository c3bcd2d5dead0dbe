/// Scripts about deleted objects, the reads of a deletion, and objects that never were.
extension FoundScriptTests {
  static let deleting = [
    Script(
      "S3.3: a deletion that a policy brings takes back, once, what was unsaved of a pair",
      [
        .insert(1, entity: word, name: 147), .insert(1, entity: tag, name: 157),
        .add(1, name: 157, property: 1, member: 147), .save(1), .object(0, name: 147), .delete(0, name: 147),
        .insert(0, entity: word, name: 205), .insert(0, entity: note, name: 212), .save(0),
        .fetch(1, entity: note, property: 1, value: nil), .delete(0, name: 212), .fetchAll(1, entity: word),
        .add(1, name: 212, property: 4, member: 205), .process(0), .add(0, name: 157, property: 1, member: 205),
        .save(1), .policy(0, .mergeByPropertyObjectTrumpMergePolicyType), .save(0),
      ]),
    Script(
      "S8.1: a member that a policy brings back goes with its owner, which is deleted here",
      [
        .insert(2, entity: note, name: 16), .insert(2, entity: word, name: 18),
        .add(2, name: 16, property: 4, member: 18), .insert(1, entity: word, name: 27),
        .insert(3, entity: tag, name: 30), .save(3), .insert(1, entity: note, name: 35), .save(2), .save(0),
        .fetchAll(1, entity: tag), .add(2, name: 30, property: 1, member: 18), .save(2), .save(0),
        .remove(1, name: 30, property: 1, member: 27), .relate(1, name: 18, property: 1, to: 35),
        .insert(1, entity: word, name: 82), .save(1), .fetchAll(0, entity: word),
        .add(1, name: 16, property: 4, member: 82), .save(1), .delete(0, name: 82), .save(0),
        .remove(1, name: 16, property: 4, member: 82), .save(1), .remote(3, saveFromEnd: 0),
        .add(1, name: 16, property: 4, member: 82), .save(1), .refresh(0, name: 16, merging: true),
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .delete(0, name: 16), .save(0),
      ],
      world: World(
        members: [.init(), .init(), .init(parent: 0, merges: true), .init(parent: 2, merges: true)], isOrdered: true)),
    Script(
      "S8.1: a pair that a policy brings back is lost with the other object, which is deleted here",
      [
        .insert(1, entity: tag, name: 24), .insert(1, entity: word, name: 48), .insert(1, entity: tag, name: 54),
        .insert(2, entity: note, name: 55), .add(1, name: 24, property: 1, member: 48),
        .add(1, name: 54, property: 1, member: 48), .insert(0, entity: note, name: 79), .save(0),
        .insert(0, entity: shelf, name: 80), .save(1), .set(0, name: 80, property: 0, value: 3),
        .fetch(2, entity: shelf, property: 0, value: 3), .relate(0, name: 79, property: 3, to: 80),
        .add(2, name: 80, property: 1, member: 55), .fetchAll(0, entity: word), .fetchAll(1, entity: note),
        .relate(2, name: 55, property: 3, to: nil), .delete(0, name: 80), .delete(2, name: 79), .delete(0, name: 48),
        .save(0), .delete(0, name: 24), .fetchAll(3, entity: shelf), .delete(3, name: 80), .save(3),
        .set(1, name: 54, property: 0, value: 2), .policy(0, .rollbackMergePolicyType), .save(2),
        .relate(1, name: 48, property: 1, to: 79), .save(1), .save(0),
      ],
      world: World(
        members: [.init(), .init(merges: true), .init(parent: 0, merges: true), .init(parent: 2, merges: true)])),
    Script(
      "S3.3: following a deletion again makes no owner lose whom no row and no change led there",
      [
        .insert(3, entity: shelf, name: 71), .insert(0, entity: shelf, name: 72), .insert(3, entity: note, name: 74),
        .save(3), .relate(2, name: 74, property: 3, to: 71), .save(2), .save(0), .fetchAll(0, entity: shelf),
        .delete(0, name: 71), .undo(0), .relate(0, name: 74, property: 3, to: 72), .delete(0, name: 74), .save(0),
      ],
      world: World(
        members: [.init(undoes: true), .init(undoes: true), .init(), .init(parent: 2)])),
    Script(
      "S3.3: who comes to the owner that its row names changes nothing of that",
      [
        .insert(0, entity: note, name: 1), .insert(0, entity: note, name: 2), .insert(0, entity: word, name: 3),
        .save(0), .fetchAll(1, entity: note), .fetchAll(1, entity: word), .relate(1, name: 3, property: 1, to: 2),
        .relate(0, name: 3, property: 1, to: 1), .save(0), .merge(1, saveFromEnd: 0),
        .add(1, name: 1, property: 4, member: 3), .save(1),
      ], world: .siblings),
    Script(
      "S4.4: a parent that asked for what its child inserts afterwards has that",
      [
        .insert(1, entity: note, name: 49), .save(1), .insert(2, entity: shelf, name: 76),
        .fetchAll(2, entity: note), .add(2, name: 76, property: 1, member: 49), .obtain(2, name: 76),
        .object(0, name: 76), .read(0, name: 76, property: 1), .save(2), .save(0),
      ]),
    Script(
      "S2.4: who comes back by undo, and leads nowhere as its owner is deleted, does not deny that",
      [
        .insert(1, entity: cover, name: 175), .save(1), .fetch(0, entity: cover, property: 1, value: nil),
        .fetchAll(2, entity: cover), .insert(0, entity: note, name: 185), .relate(0, name: 185, property: 2, to: 175),
        .delete(2, name: 175), .save(0), .insert(1, entity: shelf, name: 216), .save(1), .fetchAll(0, entity: shelf),
        .object(2, name: 216), .save(2), .relate(2, name: 185, property: 3, to: 216), .save(2), .delete(1, name: 216),
        .set(0, name: 216, property: 0, value: 3), .save(0), .merge(1, saveFromEnd: 0), .delete(1, name: 185), .undo(1),
        .save(1),
      ],
      world: World(
        members: [.init(undoes: true), .init(undoes: true), .init(merges: true), .init(parent: 2, merges: true)])),
    Script(
      "S2.4: nor does who was never saved",
      [
        .insert(1, entity: shelf, name: 1), .save(1), .object(0, name: 1), .insert(0, entity: note, name: 31),
        .add(0, name: 1, property: 1, member: 31), .delete(0, name: 1), .redo(0), .delete(0, name: 31), .undo(0),
        .save(0),
      ],
      world: World(
        members: [.init(undoes: true), .init(merges: true, undoes: true), .init(merges: true), .init(parent: 2)])),
    Script(
      "S2.6: in a join table, members are arranged without those deleted here",
      [
        .insert(1, entity: cover, name: 231), .insert(1, entity: word, name: 248), .insert(1, entity: word, name: 275),
        .insert(0, entity: word, name: 298), .insert(1, entity: tag, name: 299), .insert(1, entity: word, name: 311),
        .insert(0, entity: tag, name: 312), .insert(1, entity: word, name: 313), .fetchAll(3, entity: tag), .save(0),
        .fetchAll(1, entity: tag), .add(1, name: 312, property: 1, member: 311),
        .add(1, name: 299, property: 1, member: 313), .save(1), .read(3, name: 312, property: 1),
        .fetchAll(0, entity: tag), .add(0, name: 311, property: 2, member: 299),
        .add(0, name: 299, property: 1, member: 298), .move(0, name: 299, property: 1, member: 313, to: 311),
        .delete(0, name: 313), .fetchAll(0, entity: word), .add(1, name: 299, property: 1, member: 248),
        .delete(0, name: 275), .set(1, name: 275, property: 0, value: 1), .save(1),
        .add(1, name: 275, property: 2, member: 299), .save(0), .set(1, name: 313, property: 0, value: 1), .save(1),
        .existing(3, name: 231), .relate(3, name: 231, property: 1, to: nil), .save(3), .merge(0, saveFromEnd: 2),
        .read(0, name: 299, property: 1), .move(1, name: 299, property: 1, member: 275, to: 313),
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .save(1), .save(0),
      ],
      world: World(
        members: [.init(), .init(merges: true), .init(parent: 0), .init(parent: 2)], isOrdered: true)),
    Script(
      "S2.6: members are arranged without those deleted here",
      [
        .insert(0, entity: note, name: 1), .insert(0, entity: word, name: 2), .insert(0, entity: word, name: 3),
        .insert(0, entity: word, name: 4), .insert(0, entity: word, name: 5), .relate(0, name: 2, property: 1, to: 1),
        .save(0), .fetchAll(1, entity: note), .fetchAll(1, entity: word), .delete(0, name: 4),
        .relate(1, name: 4, property: 1, to: 1), .save(1), .merge(0, saveFromEnd: 0), .read(0, name: 1, property: 4),
        .relate(0, name: 5, property: 1, to: 1), .move(0, name: 1, property: 4, member: 5, to: 2),
        .relate(1, name: 3, property: 1, to: 1), .move(1, name: 1, property: 4, member: 3, to: 2),
        .move(1, name: 1, property: 4, member: 4, to: 3), .save(1),
        .policy(0, .mergeByPropertyObjectTrumpMergePolicyType), .save(0),
      ], world: .ordered),
    Script(
      "S3.4: in a join table, an order does not yield because a member moved that is deleted here",
      [
        .insert(1, entity: cover, name: 231), .insert(1, entity: word, name: 275), .insert(0, entity: word, name: 298),
        .insert(1, entity: tag, name: 299), .insert(1, entity: word, name: 311), .insert(0, entity: tag, name: 312),
        .insert(1, entity: word, name: 313), .fetchAll(3, entity: tag), .save(0), .fetchAll(1, entity: tag),
        .add(1, name: 312, property: 1, member: 311), .add(1, name: 299, property: 1, member: 313), .save(1),
        .read(3, name: 312, property: 1), .fetchAll(0, entity: tag), .add(0, name: 311, property: 2, member: 299),
        .add(0, name: 299, property: 1, member: 298), .move(0, name: 299, property: 1, member: 313, to: 311),
        .fetchAll(1, entity: word), .add(1, name: 299, property: 1, member: 298), .fetchAll(0, entity: word),
        .delete(0, name: 275), .set(1, name: 275, property: 0, value: 1), .save(1),
        .add(1, name: 275, property: 2, member: 299), .save(0), .save(1), .existing(3, name: 231),
        .relate(3, name: 231, property: 1, to: nil), .save(3), .merge(0, saveFromEnd: 2),
        .read(0, name: 299, property: 1), .move(1, name: 299, property: 1, member: 275, to: 313),
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .save(1), .save(0),
      ],
      world: World(
        members: [.init(), .init(merges: true), .init(parent: 0), .init(parent: 2)], isOrdered: true)),
    Script(
      "S3.4: an order does not yield because a member moved that is deleted here",
      [
        .insert(0, entity: note, name: 1), .insert(0, entity: word, name: 2), .insert(0, entity: word, name: 3),
        .insert(0, entity: word, name: 4), .relate(0, name: 2, property: 1, to: 1),
        .relate(0, name: 3, property: 1, to: 1), .save(0), .fetchAll(1, entity: note), .fetchAll(1, entity: word),
        .read(1, name: 1, property: 4), .delete(0, name: 4), .relate(1, name: 4, property: 1, to: 1), .save(1),
        .merge(0, saveFromEnd: 0), .read(0, name: 1, property: 4), .move(0, name: 1, property: 4, member: 3, to: 2),
        .move(1, name: 1, property: 4, member: 4, to: 2), .save(1),
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .save(0),
      ], world: .ordered),
    Script(
      "S4.4: a fault of a child that is deleted has the row that its deletion was followed with",
      [
        .insert(3, entity: note, name: 67), .insert(1, entity: shelf, name: 91), .insert(1, entity: cover, name: 110),
        .insert(1, entity: note, name: 111), .set(1, name: 110, property: 0, value: 0), .save(1), .object(3, name: 91),
        .relate(3, name: 67, property: 3, to: 91), .relate(1, name: 110, property: 1, to: 111), .delete(3, name: 91),
        .save(1), .object(3, name: 110), .delete(3, name: 110), .save(3), .rollback(3),
      ]),
    Script(
      "S5.2: a save of what never was is not merged by its IDs",
      [
        .insert(3, entity: word, name: 3), .save(3), .delete(2, name: 3), .delete(3, name: 3), .save(2), .save(3),
        .delete(0, name: 3), .delete(2, name: 3), .save(0), .insert(0, entity: tag, name: 31), .save(0),
        .insert(1, entity: tag, name: 33), .save(1), .remote(2, saveFromEnd: 2),
      ]),
    Script(
      "S8.1: what never was denies nothing, though a child has asked for it",
      [
        .insert(1, entity: word, name: 203), .insert(1, entity: shelf, name: 246), .insert(1, entity: shelf, name: 249),
        .insert(1, entity: note, name: 266), .save(1), .fetchAll(0, entity: note), .insert(1, entity: word, name: 274),
        .save(1), .fetchAll(0, entity: shelf), .add(0, name: 249, property: 1, member: 266),
        .insert(0, entity: note, name: 304), .delete(0, name: 249), .fetchAll(0, entity: word),
        .relate(0, name: 304, property: 3, to: 246), .fetch(3, entity: word, property: 1, value: nil),
        .relate(0, name: 274, property: 1, to: 304), .delete(0, name: 246), .save(0),
        .relate(3, name: 274, property: 1, to: nil), .save(3), .delete(0, name: 304),
        .relate(3, name: 203, property: 1, to: 304), .delete(3, name: 203), .save(0), .save(3), .save(0),
      ]),
    Script(
      "S4.1: members that a push takes out leave in the order in which they left",
      [
        .insert(1, entity: shelf, name: 271), .set(1, name: 271, property: 0, value: 0), .save(1),
        .insert(3, entity: note, name: 318), .save(3), .fetch(2, entity: shelf, property: 0, value: 0),
        .set(1, name: 271, property: 0, value: 2), .insert(1, entity: note, name: 324), .save(1),
        .add(2, name: 271, property: 1, member: 318), .fetch(0, entity: shelf, property: 0, value: 2),
        .fetchAll(0, entity: note), .add(0, name: 271, property: 1, member: 324), .reset(3),
        .insert(3, entity: word, name: 340), .fetchAll(3, entity: note), .add(3, name: 324, property: 4, member: 340),
        .save(3), .delete(3, name: 324), .delete(0, name: 324), .delete(3, name: 318), .save(3),
      ],
      world: World(
        members: [.init(), .init(), .init(parent: 0, merges: true), .init(parent: 2, merges: true)])),
    Script(
      "S8.1: what is deleted together is read before a rule is followed, and a fault has the newest row then",
      [
        .insert(4, entity: cover, name: 74), .insert(1, entity: note, name: 76), .insert(3, entity: note, name: 89),
        .insert(4, entity: shelf, name: 90), .save(4), .save(1), .add(3, name: 90, property: 1, member: 89), .save(3),
        .fetchAll(3, entity: note), .reset(1), .fetch(1, entity: note, property: 2, value: nil), .delete(1, name: 76),
        .add(3, name: 90, property: 1, member: 76), .relate(3, name: 74, property: 1, to: 76),
        .relate(1, name: 89, property: 3, to: nil), .save(3), .delete(1, name: 90), .process(1),
      ],
      world: World(
        members: [
          .init(merges: true), .init(merges: true), .init(parent: 0, merges: true), .init(coordinator: 1),
          .init(parent: 3, coordinator: 1, merges: true),
        ], isInFile: true)),
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
    Script(
      "S8.1: a fetch that reports changes leaves a deletion that a merge has overtaken to the end of the event",
      [
        .insert(1, entity: cover, name: 1), .insert(1, entity: note, name: 2), .save(1), .fetchAll(0, entity: note),
        .fetch(0, entity: cover, property: 1, value: nil), .delete(1, name: 2), .relate(0, name: 1, property: 1, to: 2),
        .process(1), .save(0), .set(1, name: 1, property: 0, value: 2), .fetch(1, entity: tag, property: 0, value: 3),
      ],
      world: World(
        members: [.init(), .init(merges: true), .init(parent: 0, merges: true), .init(parent: 2, merges: true)])),
    Script(
      "S8.1: what denies a deletion is read again once a row has come back",
      [
        .insert(0, entity: shelf, name: 1), .insert(0, entity: note, name: 2), .relate(0, name: 2, property: 3, to: 1),
        .save(0), .policy(3, .mergeByPropertyObjectTrumpMergePolicyType), .fetchAll(3, entity: note),
        .set(3, name: 2, property: 0, value: 1), .fetchAll(1, entity: shelf), .read(1, name: 1, property: 1),
        .delete(0, name: 2), .save(0), .delete(1, name: 1), .process(1), .read(1, name: 2, property: 0), .save(3),
        .set(0, name: 1, property: 0, value: 1), .save(0), .merge(1, saveFromEnd: 0), .save(1),
      ], world: .twoCoordinators),
    Script(
      "S3.4: whom a deletion leads to is not read again past the policy that overwrites",
      [
        .insert(0, entity: shelf, name: 1), .insert(0, entity: note, name: 2), .save(0), .fetchAll(1, entity: shelf),
        .fetchAll(1, entity: note), .add(0, name: 1, property: 1, member: 2), .delete(0, name: 2),
        .add(1, name: 1, property: 1, member: 2), .set(1, name: 1, property: 0, value: 3), .save(1),
        .policy(0, .overwriteMergePolicyType), .save(0),
      ]),
    Script(
      "S8.1: a deletion is followed again where a partner's newer row leads to the object",
      [
        .insert(3, entity: cover, name: 3), .save(3), .elsewhere(.insert(4, entity: note, name: 10)), .save(2),
        .merge(0, saveFromEnd: 1), .relate(0, name: 10, property: 2, to: 3), .save(0),
        .elsewhere(.relate(4, name: 3, property: 1, to: nil)), .elsewhere(.insert(4, entity: shelf, name: 50)),
        .elsewhere(.insert(4, entity: note, name: 58)), .elsewhere(.insert(4, entity: cover, name: 59)),
        .fetchAll(1, entity: note), .fetchAll(3, entity: cover), .relate(3, name: 59, property: 1, to: nil), .letGo(0),
        .save(3), .delete(3, name: 59), .letGo(2), .elsewhere(.relate(4, name: 58, property: 2, to: 59)), .save(3),
        .elsewhere(.delete(4, name: 59)), .delete(0, name: 10), .fetchAll(0, entity: shelf), .delete(0, name: 50),
        .save(0), .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .relate(0, name: 59, property: 1, to: nil),
        .elsewhere(.add(4, name: 50, property: 1, member: 58)), .save(0),
      ], world: .twoProcesses),
    Script(
      "S3.2: a relationship that a delete rule has cleared may not be set to the deleted object again",
      [
        .insert(0, entity: cover, name: 1), .insert(0, entity: note, name: 2), .relate(0, name: 1, property: 1, to: 2),
        .save(0), .delete(0, name: 2), .process(0), .relate(0, name: 1, property: 1, to: 2), .save(0),
      ]),
    Script(
      "S2.6: who is gone differs in no order",
      [
        .insert(1, entity: word, name: 25), .insert(1, entity: word, name: 31), .insert(1, entity: tag, name: 34),
        .insert(2, entity: word, name: 35), .add(1, name: 34, property: 1, member: 25), .save(1), .save(2),
        .object(2, name: 25), .insert(1, entity: word, name: 74), .save(1),
        .policy(0, .mergeByPropertyObjectTrumpMergePolicyType), .delete(2, name: 25), .existing(3, name: 31),
        .fetchAll(0, entity: word), .process(2), .policy(1, .mergeByPropertyStoreTrumpMergePolicyType),
        .remove(1, name: 25, property: 2, member: 34), .save(1), .fetchAll(3, entity: tag), .save(0),
        .set(0, name: 25, property: 0, value: 2), .add(0, name: 34, property: 1, member: 35),
        .insert(0, entity: word, name: 80), .save(0), .add(3, name: 34, property: 1, member: 31),
        .add(0, name: 25, property: 2, member: 34), .reset(3), .add(0, name: 34, property: 1, member: 80),
        .delete(1, name: 34), .add(0, name: 74, property: 2, member: 34), .insert(3, entity: word, name: 92), .save(0),
        .move(0, name: 34, property: 1, member: 74, to: 35), .fetchAll(3, entity: tag),
        .move(0, name: 34, property: 1, member: 25, to: 74), .add(3, name: 34, property: 1, member: 92),
        .move(0, name: 34, property: 1, member: 80, to: 25), .move(3, name: 34, property: 1, member: 74, to: 80),
        .save(0), .save(1), .save(3), .delete(1, name: 34), .save(1), .delete(0, name: 35), .save(0),
        .insert(3, entity: note, name: 125), .save(3), .relate(2, name: 92, property: 1, to: 125),
        .delete(3, name: 125), .save(3),
      ],
      world: World(
        members: [.init(), .init(), .init(parent: 0, merges: true), .init(parent: 2, merges: true)], isOrdered: true)),
    Script(
      "S3.4, S8.1: a member that is one again by a policy denies its owner's deletion",
      [
        .insert(1, entity: shelf, name: 321), .save(1), .insert(1, entity: note, name: 325),
        .insert(0, entity: shelf, name: 342), .add(1, name: 321, property: 1, member: 325),
        .fetchAll(0, entity: shelf), .delete(0, name: 321), .save(1), .save(0),
        .add(0, name: 342, property: 1, member: 325), .policy(0, .rollbackMergePolicyType),
        .set(1, name: 325, property: 0, value: 1), .save(1), .save(0),
      ]),
    Script(
      "S3.1: what the row says already is no reference that is refused beside the deletion",
      [
        .insert(3, entity: note, name: 503), .insert(3, entity: shelf, name: 551), .save(3), .save(2),
        .add(2, name: 551, property: 1, member: 503), .add(0, name: 551, property: 1, member: 503), .save(0),
        .remote(3, saveFromEnd: 0), .delete(2, name: 551), .save(2),
      ], world: World(members: [.init(merges: true), .init(), .init(parent: 0, merges: true), .init(parent: 2)])),
    Script(
      "S2.3, S8.1: a delete rule finds a partner gone that a refresh made a fault",
      [
        .insert(1, entity: cover, name: 249), .insert(1, entity: shelf, name: 301),
        .set(1, name: 301, property: 0, value: 3), .insert(0, entity: note, name: 323), .save(0),
        .insert(0, entity: cover, name: 329), .relate(0, name: 329, property: 1, to: 323), .save(1),
        .fetchAll(3, entity: cover), .fetch(3, entity: shelf, property: 0, value: 3), .delete(3, name: 329), .save(3),
        .relate(3, name: 323, property: 3, to: 301), .relate(3, name: 249, property: 1, to: 323), .save(3),
        .delete(0, name: 323), .read(3, name: 301, property: 1), .delete(3, name: 249),
        .refresh(3, name: 323, merging: false), .save(0), .save(3),
      ],
      world: World(
        members: [.init(), .init(merges: true), .init(parent: 0, merges: true), .init(parent: 2)])),
    Script(
      "S2.3, S8.1: a delete rule finds a member gone that a refresh made a fault",
      [
        .insert(1, entity: tag, name: 265), .insert(2, entity: word, name: 300), .save(1), .save(2),
        .add(0, name: 265, property: 1, member: 300), .insert(1, entity: tag, name: 313),
        .insert(1, entity: word, name: 314), .save(1), .fetchAll(2, entity: tag), .remote(2, saveFromEnd: 0),
        .add(0, name: 313, property: 1, member: 300), .remove(2, name: 313, property: 1, member: 314),
        .add(2, name: 265, property: 1, member: 300), .delete(0, name: 300), .delete(2, name: 313),
        .refresh(2, name: 300, merging: false), .process(2),
      ],
      world: World(
        members: [
          .init(merges: true), .init(), .init(parent: 0), .init(coordinator: 1), .init(parent: 3, coordinator: 1),
        ], isInFile: true)),
    Script(
      "S2.4, S8.1: a refresh of an object that leads where its row does has no deletion followed again",
      [
        .insert(0, entity: note, name: 1), .insert(0, entity: cover, name: 2), .insert(0, entity: word, name: 3),
        .relate(0, name: 2, property: 1, to: 1), .add(0, name: 1, property: 4, member: 3), .fetchAll(2, entity: word),
        .fetchAll(2, entity: cover), .relate(2, name: 2, property: 1, to: nil),
        .relate(0, name: 2, property: 1, to: nil), .save(0), .merge(2, saveFromEnd: 0),
        .refresh(2, name: 2, merging: false), .delete(2, name: 3), .process(2), .fetchAll(1, entity: word),
        .delete(1, name: 3), .save(1), .merge(0, saveFromEnd: 0), .policy(1, .overwriteMergePolicyType),
        .set(1, name: 1, property: 0, value: 1), .delete(0, name: 1), .save(0), .save(1), .save(2),
      ], world: World(members: [.init(), .init(), .init(parent: 0, merges: true)])),
    Script(
      "S8.1: a late merge that brings no newer row has no deletion followed again",
      [
        .policy(0, .rollbackMergePolicyType), .insert(3, entity: word, name: 46), .save(3), .save(2),
        .insert(0, entity: word, name: 174), .insert(1, entity: tag, name: 177), .save(0),
        .insert(1, entity: note, name: 181), .fetchAll(1, entity: word), .set(0, name: 46, property: 0, value: 1),
        .set(1, name: 46, property: 0, value: 0), .save(1), .add(1, name: 181, property: 4, member: 174), .save(0),
        .save(1), .delete(0, name: 46), .process(0), .add(1, name: 46, property: 2, member: 177),
        .merge(0, saveFromEnd: 2), .save(1), .process(0),
      ], world: .ordered),
    Script(
      "S8.1: a deletion is followed again where a merge names the object, though its row has the same version",
      [
        .insert(1, entity: note, name: 139), .insert(1, entity: shelf, name: 141),
        .add(1, name: 141, property: 1, member: 139), .save(1), .object(3, name: 141),
        .insert(3, entity: word, name: 199), .insert(3, entity: tag, name: 200), .insert(3, entity: word, name: 201),
        .save(3), .delete(3, name: 141), .add(3, name: 200, property: 1, member: 201), .delete(3, name: 199), .save(3),
        .delete(3, name: 201), .add(2, name: 200, property: 1, member: 199), .save(2),
        .relate(2, name: 199, property: 1, to: nil), .save(2), .save(0), .merge(3, saveFromEnd: 1), .save(3),
      ], world: World(members: [.init(), .init(), .init(parent: 0), .init(parent: 2)])),
  ]
}
