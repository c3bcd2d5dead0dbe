/// Scripts after which the two keys of a one-to-one relationship did not say the same in the file.
extension FoundScriptTests {
  static let partners = [
    Script(
      "S2.6: what was set to the value that it had is no move",
      [
        .insert(1, entity: cover, name: 11), .insert(1, entity: note, name: 15),
        .relate(1, name: 15, property: 2, to: 11), .save(1), .fetchAll(0, entity: cover),
        .relate(0, name: 11, property: 1, to: nil), .relate(1, name: 11, property: 1, to: 15), .save(0),
        .set(1, name: 11, property: 0, value: 0), .save(1),
      ]),
    Script(
      "S3.4: whom a row leads to is left by who wins over it, also where the coordinator lists an older row",
      [
        .insert(0, entity: cover, name: 4), .save(0), .remote(4, saveFromEnd: 0), .insert(3, entity: note, name: 12),
        .policy(3, .mergeByPropertyObjectTrumpMergePolicyType), .save(3), .merge(0, saveFromEnd: 0),
        .relate(0, name: 12, property: 2, to: 4), .insert(3, entity: cover, name: 33),
        .relate(3, name: 33, property: 1, to: 12), .save(0), .save(3),
      ], world: .twoCoordinators),
    Script(
      "S3.4: who is written whole is led to by its partner again",
      [
        .insert(4, entity: cover, name: 8), .insert(3, entity: word, name: 12), .save(4),
        .insert(3, entity: note, name: 13), .add(3, name: 13, property: 4, member: 12),
        .relate(3, name: 8, property: 1, to: 13), .insert(4, entity: note, name: 17), .save(3),
        .remote(1, saveFromEnd: 0), .save(4), .policy(3, .overwriteMergePolicyType),
        .relate(1, name: 13, property: 2, to: nil), .relate(3, name: 12, property: 1, to: 17), .save(1), .save(3),
      ], world: .twoCoordinators),
    Script(
      "S2.6: who was taken from a note of an older row, which has another by now, stays with that",
      [
        .insert(1, entity: cover, name: 2), .save(1), .fetchAll(4, entity: cover), .insert(0, entity: note, name: 8),
        .save(0), .insert(0, entity: cover, name: 12), .relate(4, name: 2, property: 1, to: nil), .save(4), .save(0),
        .existing(3, name: 8), .remote(3, saveFromEnd: 0), .relate(0, name: 8, property: 2, to: 12),
        .insert(3, entity: note, name: 16), .save(0), .relate(3, name: 2, property: 1, to: 8),
        .relate(3, name: 16, property: 2, to: 12), .merge(3, saveFromEnd: 3),
        .policy(3, .mergeByPropertyStoreTrumpMergePolicyType), .save(3),
      ], world: .twoCoordinators),
    Script(
      "S3.4: a partner that was moved and moved back, so that nothing of it is written, has its newest row",
      [
        .insert(3, entity: note, name: 1), .insert(2, entity: cover, name: 3), .save(3),
        .insert(1, entity: note, name: 6),
        .policy(1, .overwriteMergePolicyType), .save(2), .relate(0, name: 3, property: 1, to: 1), .save(0),
        .object(1, name: 3), .relate(0, name: 3, property: 1, to: nil), .relate(1, name: 3, property: 1, to: 6),
        .relate(1, name: 3, property: 1, to: 1), .save(0), .set(1, name: 3, property: 0, value: 0), .save(1),
      ]),
    Script(
      "S2.6: who is taken from one whose older row does not lead to it is left by that one's newest",
      [
        .insert(3, entity: note, name: 1), .save(3), .insert(2, entity: cover, name: 3),
        .set(2, name: 3, property: 0, value: 2), .policy(1, .overwriteMergePolicyType),
        .insert(3, entity: cover, name: 12), .save(2), .relate(0, name: 3, property: 1, to: 1), .save(0),
        .object(1, name: 3), .read(1, name: 3, property: 1),
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .relate(3, name: 12, property: 1, to: 1),
        .relate(0, name: 3, property: 1, to: nil), .save(0), .save(3), .insert(0, entity: shelf, name: 22),
        .set(1, name: 3, property: 0, value: 0), .save(1), .add(0, name: 22, property: 1, member: 1), .save(0),
        .save(2), .save(0),
      ]),
    Script(
      "S2.4: what a save settles between two partners is no event that could be undone",
      [
        .insert(1, entity: note, name: 6), .save(1), .insert(3, entity: cover, name: 10), .save(3),
        .fetchAll(2, entity: note), .insert(1, entity: cover, name: 18), .relate(1, name: 6, property: 2, to: 18),
        .relate(2, name: 10, property: 1, to: 6), .save(2), .save(1),
      ],
      world: World(
        members: [.init(undoes: true), .init(merges: true, undoes: true), .init(), .init(parent: 2)])),
    Script(
      "S2.6: a row that leads to one that was moved away here is settled, also after a save that failed",
      [
        .insert(1, entity: cover, name: 323), .insert(1, entity: shelf, name: 326),
        .insert(0, entity: cover, name: 332), .save(1), .save(0), .insert(1, entity: note, name: 339),
        .fetchAll(1, entity: cover), .insert(0, entity: note, name: 359), .save(0),
        .insert(0, entity: note, name: 360), .fetch(1, entity: note, property: 2, value: nil),
        .add(1, name: 326, property: 1, member: 339), .fetch(0, entity: cover, property: 1, value: nil),
        .relate(0, name: 332, property: 1, to: 359), .delete(1, name: 326),
        .set(1, name: 359, property: 1, value: 0), .relate(0, name: 323, property: 1, to: 360), .save(0),
        .relate(0, name: 332, property: 1, to: 360), .relate(1, name: 359, property: 2, to: 323),
        .merge(1, saveFromEnd: 0), .save(0), .relate(0, name: 360, property: 2, to: 323), .save(1), .save(0),
        .merge(1, saveFromEnd: 0), .set(1, name: 360, property: 0, value: nil), .save(1),
      ]),
    Script(
      "S2.6: a row that no longer leads to one that was moved to it here is settled, also after a save that failed",
      [
        .insert(1, entity: note, name: 4), .insert(0, entity: shelf, name: 5),
        .set(0, name: 5, property: 0, value: 0), .save(0), .fetch(1, entity: shelf, property: 0, value: 0),
        .add(1, name: 5, property: 1, member: 4), .delete(0, name: 5), .insert(1, entity: note, name: 55), .save(1),
        .insert(1, entity: cover, name: 136), .fetch(0, entity: note, property: 2, value: nil),
        .set(0, name: 55, property: 1, value: 3), .relate(1, name: 136, property: 1, to: 55), .save(1),
        .fetchAll(3, entity: cover), .delete(3, name: 136), .save(3), .relate(0, name: 136, property: 1, to: nil),
        .relate(1, name: 136, property: 1, to: nil), .relate(0, name: 136, property: 1, to: 55),
        .set(0, name: 136, property: 0, value: 0), .save(1), .save(0), .merge(0, saveFromEnd: 2), .save(0),
      ]),
    Script(
      "S2.6: who is set to one that leads back already, by an older row, is led to",
      [
        .insert(1, entity: word, name: 31), .save(1), .fetchAll(0, entity: word), .insert(1, entity: note, name: 64),
        .insert(1, entity: shelf, name: 69), .set(1, name: 69, property: 0, value: 0), .save(1),
        .fetch(0, entity: shelf, property: 0, value: 0), .relate(1, name: 31, property: 1, to: 64), .save(1),
        .delete(0, name: 31), .save(0), .insert(0, entity: note, name: 99), .policy(1, .overwriteMergePolicyType),
        .insert(0, entity: cover, name: 106), .relate(0, name: 106, property: 1, to: 64), .save(0),
        .insert(1, entity: shelf, name: 108), .add(0, name: 69, property: 1, member: 99), .delete(0, name: 69),
        .add(1, name: 108, property: 1, member: 64), .save(1), .remove(1, name: 108, property: 1, member: 64),
        .save(1), .delete(1, name: 108), .save(1), .merge(0, saveFromEnd: 1),
        .relate(0, name: 64, property: 2, to: 106), .save(0),
      ]),
    Script(
      "S2.6: partners are looked at again after a save that failed",
      [
        .insert(0, entity: note, name: 4), .insert(2, entity: note, name: 7), .insert(2, entity: cover, name: 10),
        .insert(4, entity: note, name: 11), .save(4), .save(3), .delete(3, name: 11),
        .insert(1, entity: shelf, name: 25), .insert(3, entity: cover, name: 27),
        .policy(3, .mergeByPropertyStoreTrumpMergePolicyType), .save(1), .remote(2, saveFromEnd: 0),
        .existing(2, name: 11), .relate(2, name: 11, property: 2, to: 10), .save(2), .save(0),
        .relate(2, name: 7, property: 2, to: 10), .save(3), .save(2), .save(0),
        .relate(2, name: 11, property: 3, to: 25), .save(2), .relate(3, name: 27, property: 1, to: 11),
        .relate(0, name: 4, property: 2, to: 10), .fetchAll(4, entity: shelf), .insert(4, entity: note, name: 47),
        .save(4), .save(0), .delete(3, name: 25), .add(0, name: 25, property: 1, member: 7),
        .relate(3, name: 47, property: 2, to: 10), .save(3), .save(0), .save(3),
      ],
      world: World(
        members: [
          .init(merges: true), .init(), .init(parent: 0), .init(coordinator: 1), .init(parent: 3, coordinator: 1),
        ], isInFile: true)),
    Script(
      "S4.5: a partner that the parent has newer by a merge, and its save does not name, is settled once the parent is free",
      [
        .insert(1, entity: note, name: 1), .insert(1, entity: cover, name: 2), .save(1), .fetchAll(0, entity: note),
        .fetchAll(2, entity: note), .fetchAll(2, entity: cover), .insert(2, entity: cover, name: 3),
        .relate(2, name: 3, property: 1, to: 1), .relate(1, name: 2, property: 1, to: 1), .save(1),
        .set(0, name: 1, property: 1, value: 1), .save(0),
      ],
      world: World(members: [.init(merges: true), .init(), .init(parent: 0, merges: true)], parentsAreBusy: true)),
    Script(
      "S2.6: one whose row says the same under the object's permanent ID has not moved",
      [
        .insert(1, entity: cover, name: 132), .insert(1, entity: note, name: 134), .save(1),
        .fetchAll(0, entity: note), .insert(1, entity: note, name: 152), .save(1), .existing(0, name: 152),
        .insert(3, entity: shelf, name: 154), .fetchAll(3, entity: cover), .set(3, name: 132, property: 0, value: 3),
        .save(3), .relate(0, name: 132, property: 1, to: 152), .save(0), .policy(1, .overwriteMergePolicyType),
        .set(1, name: 152, property: 1, value: 3), .object(2, name: 134), .insert(0, entity: cover, name: 166),
        .save(1), .relate(0, name: 166, property: 1, to: 134),
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .add(2, name: 154, property: 1, member: 134),
        .save(0), .relate(0, name: 132, property: 1, to: 134), .relate(2, name: 134, property: 2, to: nil), .save(0),
        .set(0, name: 166, property: 0, value: 3), .save(0), .merge(2, saveFromEnd: 2),
      ], world: World(members: [.init(), .init(), .init(parent: 0), .init(parent: 2)], isInFile: true)),
    Script(
      "S4.5: so is the former partner, for whom a busy parent could not be asked",
      [
        .insert(3, entity: note, name: 229), .insert(1, entity: cover, name: 231), .save(1),
        .insert(1, entity: cover, name: 244), .insert(3, entity: cover, name: 248),
        .insert(3, entity: cover, name: 249),
        .fetch(0, entity: cover, property: 1, value: nil), .save(1), .save(3),
        .relate(2, name: 249, property: 1, to: 229), .object(3, name: 244), .set(3, name: 244, property: 0, value: 3),
        .save(2), .save(3), .relate(2, name: 244, property: 1, to: 229), .relate(2, name: 249, property: 1, to: 229),
        .relate(0, name: 248, property: 1, to: 229), .save(0), .save(2), .relate(0, name: 231, property: 1, to: 229),
        .save(0), .relate(2, name: 229, property: 3, to: nil), .relate(3, name: 248, property: 1, to: 229), .save(2),
      ],
      world: World(
        members: [
          .init(merges: true), .init(), .init(parent: 0, merges: true), .init(parent: 2, merges: true),
        ], parentsAreBusy: true)),
    Script(
      "S3.4, S8.1: a policy that drops a move has the deletion followed again of whom the row leads to",
      [
        .insert(1, entity: note, name: 130), .policy(0, .rollbackMergePolicyType), .save(1),
        .policy(1, .mergeByPropertyObjectTrumpMergePolicyType), .fetch(0, entity: note, property: 2, value: nil),
        .insert(1, entity: word, name: 178), .insert(0, entity: note, name: 181), .save(0),
        .fetch(1, entity: note, property: 2, value: nil), .insert(0, entity: cover, name: 211),
        .set(1, name: 130, property: 0, value: 2), .add(1, name: 181, property: 4, member: 178),
        .relate(0, name: 181, property: 2, to: 211), .save(0), .delete(0, name: 181),
        .relate(0, name: 211, property: 1, to: 130), .relate(1, name: 178, property: 1, to: nil), .save(1), .save(0),
        .set(1, name: 181, property: 1, value: 2), .save(1),
      ], world: World(members: [.init(), .init(), .init(parent: 0), .init(parent: 2)])),
  ]
}
