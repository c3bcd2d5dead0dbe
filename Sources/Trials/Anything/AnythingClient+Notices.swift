import Checking
import CoreData

// Notifications are compared with the changes.

extension AnythingClient {
  /// Checks that nothing changed in a context without a notification.
  func checkNotices() throws {
    for actor in AnythingStep.Actor.allCases {
      let participant = participant(actor)
      let unnamed = participant.context.performAndWait {
        participant.context.processPendingChanges()
        return notices[actor]?.drainUnnamed()
      }
      session.count(\.valuesCompared)
      guard let unnamed else { continue }
      try report(
        .missedNotification, "the did-change notifications of \(participant.name)", expected: "\(unnamed) is named",
        seen: "it is another, and no notification names the object")
    }
  }

  /// Checks that a refused save posted no did-save notification.
  func checkRefused(_ actor: AnythingStep.Actor) throws {
    guard let saves = notices[actor]?.drainSaves(), !saves.objects.isEmpty || !saves.ids.isEmpty else { return }
    try report(
      .wrongNotification, "a refused save of \(participant(actor).name)", expected: "no did-save notification",
      seen: "\(saves.objects.count)")
  }

  /// Compares the lists of a save that was made with the context's changes.
  func checkSaved(_ actor: AnythingStep.Actor, _ inserted: Set<Int>, _ changed: Set<Int>, _ deleted: Set<Int>) throws {
    guard let notices = notices[actor] else { return }
    let name = participant(actor).name
    let (objects, ids) = notices.drainSaves()
    let hasChanges = !(inserted.isEmpty && changed.isEmpty && deleted.isEmpty)
    guard let lists = objects.first else {
      guard hasChanges else { return }
      return try report(.missedNotification, "a save of \(name)", expected: "one did-save notification", seen: "none")
    }
    if objects.count > 1 {
      try report(
        .duplicateNotification, "a save of \(name)", expected: "one did-save notification", seen: "\(objects.count)")
    }
    // A save without changes says that it was, and names nothing.
    if !hasChanges, lists == AnythingNotices.Lists() { return }
    if ids.count != 1 {
      try report(
        .wrongNotification, "a save of \(name)", expected: "one did-save notification with IDs", seen: "\(ids.count)")
    }
    // A child's new objects have no rows yet.
    guard actor == .own else { return }
    for (what, one, other) in [
      ("inserted", lists.inserted, ids[0].inserted), ("updated", lists.updated, ids[0].updated),
      ("deleted", lists.deleted, ids[0].deleted),
    ] {
      try check(
        "\(what) IDs that a save of \(name) gives for no object", Set(other.subtracting(one).map(rows.name)), [])
      try check("\(what) objects of a save of \(name) without an ID", Set(one.subtracting(other).map(rows.name)), [])
    }
    try check("inserted objects of a save of \(name)", lists.inserted, inserted)
    try check("deleted objects of a save of \(name)", lists.deleted, deleted)
    let missing = changed.subtracting(lists.updated.map(rows.name))
    try check("changed objects that a save of \(name) does not name", Set(missing), [])
    let twice = lists.updated.intersection(lists.inserted.union(lists.deleted))
    try check("objects in two lists of a save of \(name)", twice, [])
  }

  private func check(_ what: String, _ seen: Set<NSManagedObjectID>, _ expected: Set<Int>) throws {
    try check(what, Set(seen.map(rows.name)), expected)
  }

  private func check(_ what: String, _ seen: Set<Int>, _ expected: Set<Int>) throws {
    session.count(\.valuesCompared)
    guard seen != expected else { return }
    try report(.wrongNotification, what, expected: "\(expected.sorted())", seen: "\(seen.sorted())")
  }
}
