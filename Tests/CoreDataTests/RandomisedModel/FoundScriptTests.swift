import Testing

@testable import CoreData

/// Scripts in which the stack once differed from the model, as the shrinker left them.
@Suite(.oneThread) struct FoundScriptTests {
  struct Script: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Operation]
    let world: World

    init(_ description: String, _ steps: [Operation], world: World = .family) {
      testDescription = description
      self.steps = steps
      self.world = world
    }
  }

  static let (cover, note, shelf, tag, word) = (
    AtlasSchema.cover, AtlasSchema.note, AtlasSchema.shelf, AtlasSchema.tag, AtlasSchema.word
  )

  private static let undoingParent = World(members: [.init(undoes: true), .init(), .init(parent: 0)])

  private static let scripts = [
    Script(
      "S5.2: a child that merges its parent's insertions reads members again",
      [
        .insert(3, entity: word, name: 3), .save(3), .insert(3, entity: tag, name: 8),
        .add(3, name: 8, property: 1, member: 3), .save(3), .delete(2, name: 3), .save(2), .merge(3, saveFromEnd: 0),
      ]),
    Script(
      "S5.2: a member that the parent got without a save of its own comes with the merge",
      [
        .insert(2, entity: word, name: 1), .insert(2, entity: note, name: 17), .save(2), .save(0),
        .refresh(2, name: 17, merging: true), .read(2, name: 17, property: 4),
        .relate(0, name: 1, property: 1, to: 17), .merge(2, saveFromEnd: 0),
      ]),
    Script(
      "S2.6: a member is added once, though what was read of it is older",
      [
        .insert(0, entity: note, name: 3), .insert(0, entity: word, name: 11), .relate(0, name: 11, property: 1, to: 3),
        .save(0), .read(0, name: 3, property: 4), .fetchAll(1, entity: word),
        .relate(1, name: 11, property: 1, to: nil), .save(1), .refresh(0, name: 11, merging: true),
        .add(0, name: 3, property: 4, member: 11), .save(0),
      ]),
    Script(
      "S2.8: the same object under its other ID is no change",
      [
        .insert(1, entity: word, name: 5), .save(1), .insert(2, entity: note, name: 10), .fetchAll(2, entity: word),
        .relate(2, name: 5, property: 1, to: 10), .save(2), .save(0), .relate(2, name: 5, property: 1, to: 10),
        .merge(2, saveFromEnd: 0),
      ]),
    Script(
      "S3.6: what was inserted and deleted is not denied to go",
      [
        .insert(0, entity: note, name: 4), .insert(0, entity: shelf, name: 6), .relate(0, name: 4, property: 3, to: 6),
        .delete(0, name: 6), .save(0),
      ]),
    Script(
      "S3.4: nothing refers to an object that the policy dropped",
      [
        .insert(2, entity: cover, name: 2), .save(2), .save(0), .fetchAll(1, entity: cover), .delete(0, name: 2),
        .set(1, name: 2, property: 0, value: nil), .policy(1, .mergeByPropertyStoreTrumpMergePolicyType),
        .insert(1, entity: note, name: 16), .save(1), .relate(1, name: 2, property: 1, to: 16), .save(0), .save(1),
      ]),
    Script(
      "S3.4: dropping one side's members drops the other side's",
      [
        .insert(0, entity: tag, name: 10), .insert(0, entity: word, name: 15), .save(0), .fetchAll(1, entity: tag),
        .set(1, name: 10, property: 0, value: 1), .save(1), .policy(0, .rollbackMergePolicyType),
        .add(0, name: 10, property: 1, member: 15), .save(0), .read(0, name: 15, property: 2),
      ]),
    Script(
      "S3.4: who is not deleted after all has its members again",
      [
        .insert(1, entity: word, name: 4), .insert(0, entity: tag, name: 8), .save(0), .fetchAll(1, entity: tag),
        .add(1, name: 8, property: 1, member: 4), .save(1), .fetchAll(0, entity: word),
        .set(1, name: 8, property: 0, value: 2), .delete(0, name: 8), .process(0), .save(1),
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .save(0), .read(0, name: 4, property: 2),
      ]),
    Script(
      "S3.4: what lost a member that is gone by itself is not written again",
      [
        .insert(1, entity: shelf, name: 3), .insert(1, entity: note, name: 4), .save(1),
        .relate(1, name: 4, property: 3, to: 3), .object(0, name: 4), .save(1), .delete(0, name: 4), .save(0),
        .delete(1, name: 4), .policy(1, .mergeByPropertyStoreTrumpMergePolicyType), .save(1),
      ]),
    Script(
      "S4.4: a child's deletion of what its parent dropped is nothing",
      [
        .insert(2, entity: word, name: 2), .insert(2, entity: note, name: 4), .relate(2, name: 2, property: 1, to: 4),
        .save(2), .delete(0, name: 2), .save(0), .delete(2, name: 2), .save(2),
      ]),
    Script(
      "S2.1: asking for a row that is gone leaves the fault that is held in its place",
      [
        .insert(3, entity: shelf, name: 4), .save(3), .delete(2, name: 4), .refresh(3, name: 4, merging: true),
        .existing(3, name: 4), .object(3, name: 4),
      ]),
    Script(
      "S8.1: what was found gone no longer denies a deletion",
      [
        .insert(2, entity: note, name: 1), .insert(3, entity: shelf, name: 7), .save(3),
        .relate(2, name: 1, property: 3, to: 7), .delete(3, name: 7), .save(2), .save(3), .delete(0, name: 1),
        .refresh(2, name: 1, merging: true), .set(3, name: 1, property: 1, value: 0), .save(3),
      ]),
    Script(
      "S8.1: what another context deleted no longer denies a deletion once that is merged",
      [
        .insert(0, entity: shelf, name: 1), .insert(0, entity: note, name: 2), .relate(0, name: 2, property: 3, to: 1),
        .save(0), .delete(0, name: 1), .save(0), .fetchAll(1, entity: note), .delete(1, name: 2), .save(1),
        .merge(0, saveFromEnd: 0), .save(0),
      ]),
    Script(
      "S8.1: a deletion that was denied once is denied again when a merge brings another obstacle",
      [
        .insert(2, entity: shelf, name: 6), .insert(2, entity: note, name: 11), .save(2), .delete(2, name: 6),
        .insert(2, entity: cover, name: 13), .relate(0, name: 11, property: 3, to: 6),
        .insert(0, entity: note, name: 14),
        .save(2), .save(0), .relate(2, name: 11, property: 2, to: 13), .set(0, name: 6, property: 0, value: 0),
        .fetchAll(3, entity: cover), .relate(3, name: 13, property: 1, to: nil), .save(0),
        .relate(0, name: 14, property: 3, to: 6), .delete(3, name: 11), .save(0), .save(3), .remote(2, saveFromEnd: 2),
        .save(2),
      ]),
    Script(
      "S2.6: a pair that the store got meanwhile can be taken back",
      [
        .insert(0, entity: word, name: 1), .insert(0, entity: tag, name: 2), .save(0), .fetchAll(1, entity: word),
        .fetchAll(1, entity: tag), .add(0, name: 2, property: 1, member: 1), .add(1, name: 2, property: 1, member: 1),
        .save(0), .merge(1, saveFromEnd: 0), .remove(1, name: 2, property: 1, member: 1), .save(1),
      ]),
    Script(
      "S2.6: a pair that the parent got meanwhile goes with its deletion",
      [
        .insert(3, entity: word, name: 14), .insert(3, entity: tag, name: 25), .save(3),
        .add(3, name: 25, property: 1, member: 14), .save(2), .merge(3, saveFromEnd: 0), .save(3),
        .add(0, name: 25, property: 1, member: 14), .delete(3, name: 25), .save(0), .merge(2, saveFromEnd: 0), .save(3),
      ]),
    Script(
      "S4.3: a late notification finds an object whose permanent ID was asked for since",
      [
        .insert(3, entity: tag, name: 12), .save(3), .save(2), .save(0), .insert(0, entity: shelf, name: 15),
        .obtain(3, name: 12), .delete(2, name: 12), .save(0), .save(2), .merge(3, saveFromEnd: 0),
      ]),
    Script(
      "S5.2: a reference by the temporary key is cleared when the deletion is merged under the permanent one",
      [
        .insert(2, entity: note, name: 1), .save(2), .insert(2, entity: cover, name: 4),
        .relate(2, name: 4, property: 1, to: 1), .save(0), .delete(0, name: 1), .obtain(2, name: 1), .save(0),
        .merge(2, saveFromEnd: 0), .save(2), .save(0),
      ]),
    Script(
      "S2.1: what was found gone, and is saved later, is an object again",
      [
        .insert(2, entity: shelf, name: 3), .save(2), .obtain(2, name: 3), .object(1, name: 3),
        .set(1, name: 3, property: 0, value: 3), .save(0), .existing(1, name: 3),
      ]),
    Script(
      "S8.1: a member that is gone is out of a cascade's reach, though a list read before has it still",
      [
        .insert(3, entity: note, name: 6), .save(3), .insert(2, entity: word, name: 13), .save(2),
        .relate(0, name: 13, property: 1, to: 6), .delete(2, name: 13), .delete(3, name: 6), .process(3), .save(2),
        .save(3),
      ]),
    Script(
      "S2.6: who has a partner that is gone can be given another",
      [
        .insert(1, entity: note, name: 1), .insert(1, entity: cover, name: 2), .relate(1, name: 2, property: 1, to: 1),
        .save(1), .fetchAll(0, entity: cover), .read(0, name: 2, property: 1),
        .relate(1, name: 2, property: 1, to: nil), .delete(1, name: 1), .save(1), .delete(0, name: 1), .save(0),
        .relate(0, name: 2, property: 1, to: nil),
      ]),
    Script(
      "S3.4: what is inserted again refers to nothing that another save has taken away",
      [
        .policy(3, .mergeByPropertyObjectTrumpMergePolicyType), .insert(3, entity: shelf, name: 33), .save(3),
        .fetchAll(2, entity: shelf), .insert(2, entity: cover, name: 53), .insert(2, entity: note, name: 59),
        .relate(2, name: 59, property: 3, to: 33), .save(2), .relate(0, name: 53, property: 1, to: 59), .save(0),
        .delete(3, name: 33), .save(3), .delete(2, name: 33), .delete(3, name: 59),
        .relate(0, name: 59, property: 2, to: nil), .save(3), .save(2),
        .policy(0, .mergeByPropertyObjectTrumpMergePolicyType), .save(0),
      ], world: .twoCoordinators),
    Script(
      "S3.3: a conflict shows that the row listed is behind the store",
      [
        .insert(1, entity: cover, name: 37), .insert(3, entity: note, name: 50), .save(1), .save(3),
        .insert(4, entity: shelf, name: 56), .existing(3, name: 37), .fetch(4, entity: note, property: 2, value: nil),
        .fetchAll(1, entity: note), .relate(4, name: 50, property: 3, to: 56), .policy(3, .overwriteMergePolicyType),
        .relate(1, name: 37, property: 1, to: 50), .save(4), .set(3, name: 37, property: 0, value: 3), .save(1),
        .save(3),
      ], world: .twoCoordinators),
    Script(
      "S3.4: overwriting a row leaves what the store computes",
      [
        .insert(2, entity: word, name: 4), .save(2), .insert(1, entity: cover, name: 6),
        .insert(1, entity: note, name: 9), .relate(1, name: 6, property: 1, to: 9), .save(1),
        .policy(1, .overwriteMergePolicyType), .relate(1, name: 9, property: 2, to: nil), .object(0, name: 9),
        .relate(0, name: 4, property: 1, to: 9), .save(0), .save(1),
      ]),
    Script(
      "S5.2: saves of another coordinator are merged by their notifications and by their IDs",
      [
        .insert(1, entity: tag, name: 1), .set(1, name: 1, property: 0, value: 2), .save(1), .existing(3, name: 1),
        .set(1, name: 1, property: 0, value: nil), .save(1), .fetchAll(4, entity: tag), .remote(4, saveFromEnd: 0),
        .set(4, name: 1, property: 0, value: 1), .save(4), .save(3), .existing(0, name: 1), .merge(0, saveFromEnd: 0),
      ], world: .twoCoordinators),
    Script(
      "S3.4: a pair that another process added meanwhile stays with the two that a policy brings back",
      [
        .insert(3, entity: word, name: 16), .insert(0, entity: tag, name: 20), .insert(3, entity: tag, name: 28),
        .save(3),
        .policy(0, .rollbackMergePolicyType), .insert(2, entity: word, name: 41), .fetchAll(3, entity: tag), .save(2),
        .delete(2, name: 16), .save(0), .insert(3, entity: word, name: 44), .set(3, name: 20, property: 0, value: 3),
        .elsewhere(.add(4, name: 28, property: 1, member: 16)), .save(3), .add(2, name: 20, property: 1, member: 44),
        .save(2), .save(0), .elsewhere(.add(4, name: 28, property: 1, member: 44)), .delete(0, name: 28),
        .elsewhere(.add(4, name: 41, property: 2, member: 20)), .save(0),
      ], world: .twoProcesses),
    Script(
      "S3.4: who is not deleted after all has every pair again, though one of the partners was brought back before",
      [
        .insert(0, entity: tag, name: 1), .insert(0, entity: word, name: 2), .insert(0, entity: tag, name: 3),
        .add(0, name: 2, property: 2, member: 1), .add(0, name: 2, property: 2, member: 3), .save(0),
        .fetchAll(1, entity: word), .set(1, name: 2, property: 0, value: 1), .object(1, name: 3),
        .set(1, name: 3, property: 0, value: 1), .policy(0, .rollbackMergePolicyType), .delete(0, name: 2), .process(0),
        .save(1), .save(0),
      ]),
    Script(
      "S2.1: what comes back takes the place of what was found gone among members",
      [
        .insert(0, entity: word, name: 1), .insert(0, entity: tag, name: 2), .add(0, name: 2, property: 1, member: 1),
        .save(0), .fetchAll(2, entity: tag), .read(2, name: 2, property: 1), .fetchAll(1, entity: word),
        .set(1, name: 1, property: 0, value: 3), .policy(0, .rollbackMergePolicyType), .delete(0, name: 1),
        .set(2, name: 1, property: 0, value: 1), .save(1), .save(0), .fetchAll(2, entity: word),
        .add(2, name: 2, property: 1, member: 1), .fetchAll(3, entity: tag), .read(3, name: 2, property: 1),
      ]),
    Script(
      "S2.1: a reference to what this context deleted itself leads to what came back under that ID",
      [
        .insert(4, entity: note, name: 13), .insert(4, entity: cover, name: 25),
        .relate(4, name: 25, property: 1, to: 13), .save(4), .save(3), .fetchAll(0, entity: cover),
        .insert(4, entity: note, name: 38), .insert(3, entity: cover, name: 42),
        .policy(0, .mergeByPropertyObjectTrumpMergePolicyType), .save(4), .relate(3, name: 42, property: 1, to: 13),
        .save(3), .fetchAll(0, entity: note), .relate(0, name: 25, property: 1, to: 38), .delete(3, name: 13),
        .save(0), .remote(4, saveFromEnd: 0), .save(3), .set(0, name: 13, property: 1, value: 1), .save(0),
        .object(3, name: 13), .relate(3, name: 42, property: 1, to: 13),
      ], world: .twoCoordinators),
    Script(
      "S8.1: a cascade does not reach what a merge policy found gone",
      [
        .insert(2, entity: note, name: 2), .insert(3, entity: cover, name: 11),
        .policy(0, .rollbackMergePolicyType), .save(2), .save(0), .object(1, name: 2), .save(3),
        .relate(2, name: 11, property: 1, to: 2), .save(2), .save(0), .set(2, name: 11, property: 0, value: 1),
        .delete(1, name: 2), .save(2), .save(1), .save(0), .delete(0, name: 2), .process(0),
      ]),
    Script(
      "S2.6: a member that left and came back has its old place",
      [
        .insert(1, entity: note, name: 15), .save(1), .insert(1, entity: word, name: 20),
        .insert(1, entity: note, name: 22), .add(1, name: 15, property: 4, member: 20), .save(1),
        .relate(1, name: 20, property: 1, to: 22), .add(1, name: 15, property: 4, member: 20),
      ], world: .ordered),
    Script(
      "S2.6: the same in a child, after a rollback",
      [
        .insert(2, entity: word, name: 11), .insert(3, entity: note, name: 17), .save(3),
        .add(2, name: 17, property: 4, member: 11), .read(3, name: 17, property: 4), .rollback(3),
        .remove(3, name: 17, property: 4, member: 11), .add(3, name: 17, property: 4, member: 11),
      ], world: .ordered),
    Script(
      "S2.4: a denied deletion that is taken back leaves the members alone",
      [
        .insert(1, entity: shelf, name: 10), .insert(1, entity: note, name: 17),
        .relate(1, name: 17, property: 3, to: 10), .save(1), .existing(0, name: 10), .delete(0, name: 10), .undo(0),
      ], world: .undoing),
    Script(
      "S2.4: undo leaves a relationship alone that the event did not change",
      [
        .insert(2, entity: shelf, name: 6), .save(2), .save(0), .insert(2, entity: note, name: 7),
        .add(2, name: 6, property: 1, member: 7), .save(2), .delete(0, name: 6), .save(2),
        .set(0, name: 7, property: 0, value: 0), .undo(0),
      ], world: undoingParent),
    Script(
      "S2.6: a member that left by a merge and is added again is listed once, at the end",
      [
        .insert(2, entity: note, name: 1), .insert(3, entity: tag, name: 35), .save(3), .save(2), .save(0),
        .insert(0, entity: word, name: 54), .add(0, name: 1, property: 4, member: 54), .existing(1, name: 35),
        .insert(1, entity: word, name: 80), .add(1, name: 35, property: 1, member: 80), .save(0),
        .existing(1, name: 54), .save(1), .relate(1, name: 54, property: 1, to: nil), .delete(0, name: 35), .save(0),
        .add(0, name: 1, property: 4, member: 80), .save(0), .insert(1, entity: word, name: 88),
        .relate(1, name: 88, property: 1, to: 1), .remove(0, name: 1, property: 4, member: 80),
        .read(1, name: 1, property: 4), .move(1, name: 1, property: 4, member: 88, to: 80), .save(0),
        .add(1, name: 1, property: 4, member: 80), .read(1, name: 1, property: 4),
      ],
      world: World(
        members: [.init(merges: true), .init(merges: true), .init(parent: 0), .init(parent: 2)], isOrdered: true)),
    Script(
      "S2.6: in a join table, too, a member that others added stays behind the one it is behind",
      [
        .insert(0, entity: tag, name: 121), .insert(0, entity: word, name: 124), .save(0), .fetchAll(1, entity: tag),
        .insert(1, entity: word, name: 135), .insert(0, entity: word, name: 136), .save(0), .fetchAll(1, entity: word),
        .insert(0, entity: tag, name: 138), .insert(1, entity: word, name: 140),
        .add(1, name: 121, property: 1, member: 135), .save(1), .remove(0, name: 121, property: 1, member: 136),
        .add(0, name: 138, property: 1, member: 136), .save(0), .add(0, name: 138, property: 1, member: 124),
        .add(1, name: 121, property: 1, member: 136), .add(0, name: 138, property: 1, member: 135),
        .remove(1, name: 121, property: 1, member: 136), .add(1, name: 138, property: 1, member: 140),
        .move(0, name: 138, property: 1, member: 124, to: 135), .save(1), .merge(0, saveFromEnd: 0), .save(0),
      ], world: .ordered),
    Script(
      "S2.6: a pair that comes with the save follows those in the file",
      [
        .insert(1, entity: word, name: 5), .insert(3, entity: word, name: 13), .insert(3, entity: tag, name: 20),
        .add(3, name: 20, property: 1, member: 13), .save(3), .save(2), .delete(2, name: 13),
        .insert(0, entity: word, name: 21), .add(0, name: 20, property: 1, member: 21), .save(0),
        .insert(3, entity: word, name: 33), .insert(1, entity: tag, name: 34), .fetchAll(1, entity: tag),
        .remove(1, name: 20, property: 1, member: 5), .policy(0, .mergeByPropertyStoreTrumpMergePolicyType),
        .add(1, name: 34, property: 1, member: 13), .save(1), .add(3, name: 20, property: 1, member: 33), .save(3),
        .save(2), .move(0, name: 20, property: 1, member: 21, to: 33), .save(0),
      ],
      world: World(members: [.init(), .init(), .init(parent: 0, merges: true), .init(parent: 2)], isOrdered: true)),
    Script(
      "S3.4: an order is changed by who moved, not by who is gone",
      [
        .insert(3, entity: tag, name: 2), .insert(0, entity: word, name: 3), .save(3), .save(2),
        .add(0, name: 2, property: 1, member: 3), .insert(0, entity: word, name: 10), .save(0),
        .insert(2, entity: note, name: 15), .insert(0, entity: word, name: 18),
        .add(0, name: 2, property: 1, member: 18), .fetchAll(1, entity: word), .save(2),
        .policy(0, .mergeByPropertyStoreTrumpMergePolicyType), .add(0, name: 2, property: 1, member: 10),
        .delete(1, name: 3), .move(0, name: 2, property: 1, member: 18, to: 10),
        .relate(0, name: 3, property: 1, to: 15),
        .save(1), .save(0),
      ], world: .ordered),
    Script(
      "S2.4: what a deleted object got in the same event is taken back with its deletion",
      [
        .insert(0, entity: word, name: 40), .insert(1, entity: tag, name: 121), .insert(2, entity: word, name: 122),
        .save(2), .save(1), .object(0, name: 121), .add(0, name: 121, property: 1, member: 122), .save(0),
        .add(0, name: 121, property: 1, member: 40), .delete(0, name: 40), .undo(0), .save(0),
      ], world: undoingParent),
    Script(
      "S2.6: what is gone moves no other member",
      [
        .insert(1, entity: tag, name: 3), .insert(3, entity: word, name: 22), .insert(1, entity: word, name: 26),
        .insert(2, entity: word, name: 29), .save(1), .save(3), .add(1, name: 3, property: 1, member: 26), .save(2),
        .fetchAll(0, entity: tag), .insert(3, entity: tag, name: 36), .save(0),
        .fetch(2, entity: word, property: 1, value: nil), .save(1), .save(3), .add(0, name: 3, property: 1, member: 29),
        .add(2, name: 26, property: 2, member: 36), .add(0, name: 3, property: 1, member: 22),
        .read(2, name: 3, property: 1), .move(2, name: 3, property: 1, member: 22, to: 29), .delete(0, name: 29),
        .save(0), .merge(2, saveFromEnd: 0),
      ], world: .ordered),
    Script(
      "S3.4: who lost a member to a deletion that is taken back is not written",
      [
        .insert(0, entity: note, name: 15), .elsewhere(.insert(4, entity: shelf, name: 16)), .save(0),
        .elsewhere(.insert(4, entity: shelf, name: 22)), .elsewhere(.add(4, name: 16, property: 1, member: 15)),
        .fetchAll(1, entity: note), .elsewhere(.add(4, name: 22, property: 1, member: 15)),
        .elsewhere(.insert(4, entity: word, name: 31)), .delete(1, name: 15), .save(1), .merge(1, saveFromEnd: 1),
        .elsewhere(.add(4, name: 15, property: 4, member: 31)), .policy(1, .rollbackMergePolicyType), .save(1),
      ], world: .twoProcesses),
    Script(
      "S2.6: an inserted member is at the end, also where a merge policy dropped what its owner had",
      [
        .insert(3, entity: note, name: 99), .insert(3, entity: word, name: 150), .save(3),
        .insert(1, entity: word, name: 158), .save(2), .relate(0, name: 150, property: 1, to: 99), .save(0),
        .fetch(1, entity: note, property: 2, value: nil), .relate(1, name: 158, property: 1, to: 99),
        .policy(0, .rollbackMergePolicyType), .read(1, name: 99, property: 4), .insert(3, entity: word, name: 181),
        .save(3), .save(2), .save(1), .relate(0, name: 181, property: 1, to: 99), .save(0),
        .move(1, name: 99, property: 4, member: 150, to: 158), .save(1),
      ], world: .ordered),
    Script(
      "S4.4: a child's change of what its parent dropped is nothing",
      [
        .insert(1, entity: note, name: 41), .save(1), .insert(3, entity: shelf, name: 77),
        .insert(0, entity: shelf, name: 83), .save(3), .fetch(0, entity: note, property: 2, value: nil),
        .fetchAll(3, entity: shelf), .add(0, name: 83, property: 1, member: 41), .read(3, name: 83, property: 1),
        .save(2), .delete(0, name: 83), .delete(3, name: 41), .save(3), .relate(0, name: 41, property: 3, to: 77),
        .read(3, name: 77, property: 1),
      ], world: World(members: [.init(), .init(), .init(parent: 0, merges: true), .init(parent: 2, merges: true)])),
    Script(
      "S4.4: a child that asks for members learns which owners are gone",
      [
        .insert(1, entity: shelf, name: 306), .insert(2, entity: note, name: 333), .save(1),
        .fetchAll(2, entity: shelf), .insert(3, entity: word, name: 370), .save(3), .delete(2, name: 306),
        .fetch(2, entity: word, property: 1, value: nil), .add(2, name: 333, property: 4, member: 370),
        .delete(2, name: 370), .delete(3, name: 370), .fetchAll(0, entity: word), .save(3), .merge(1, saveFromEnd: 0),
        .process(2),
      ], world: .twoCoordinators),
  ]

  @Test(arguments: scripts + bothSides + partners + returning + deleting)
  func aScriptThatFailedOnceHolds(script: Script) {
    let episode = Episode(
      model: AtlasSchema.model(isOrdered: script.world.isOrdered), world: script.world, isThorough: true)
    if let failure = episode.run(script.steps) { Issue.record("\(failure)") }
  }
}
