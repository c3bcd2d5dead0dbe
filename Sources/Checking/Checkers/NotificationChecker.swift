/// `notifications`: the DidSave notifications of the contexts on a coordinator told every difference that saves made to
/// the store, once, and nothing else.
///
/// Held against the store's file: a row's version says how often it was saved. A row is inserted, then updated, then
/// deleted; two saves that overlap in time may be told in either order. An object that was set to what it had, or that
/// lost all its changes to the store's by the merge policy, is told of as updated and has no new version. What goes past contexts (batch requests) is told
/// by no notification, and so is missed.
package struct NotificationChecker: Checker {
  /// The check's name; a cell that is judged by it records its notifications.
  package static let checkName = "notifications"

  package let name = checkName
  package let kinds: [ViolationKind] = [.missedNotification, .duplicateNotification, .wrongNotification]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let told = NotifiedSaves(history)
    guard told.saveCount > 0 else { return CheckResult(name: name, exercised: 0, note: "no save was told of") }
    let store = try evidence.store.get()
    let layout = evidence.parameters.layout
    var missed = ViolationTally(kind: .missedNotification, expected: "each save is told of")
    var duplicates = ViolationTally(kind: .duplicateNotification, expected: "each save is told of once")
    var wrong = ViolationTally(
      kind: .wrongNotification, expected: "a notification is the difference that its save made to the store")
    for double in told.doubled {
      duplicates.add(subject: double.context, step: double.step, seen: "a save was told of again, without another save")
    }
    for stray in told.strays {
      wrong.add(subject: stray.context, step: stray.step, seen: "a notification came, and no save had begun")
    }
    for entity in layout.entities {
      guard let versions = store.versions[entity.number] else {
        throw Unusable("the versions of the store's rows were not read")
      }
      var comparison = NotifiedRows(told.rows[entity.number] ?? [:], versions)
      comparison.compare()
      for finding in comparison.missed {
        missed.add(subject: entity.name, step: finding.step, seen: finding.text)
      }
      for finding in comparison.wrong {
        wrong.add(subject: entity.name, step: finding.step, seen: finding.text)
      }
      let gone = Self.acknowledgedDeletes(of: entity, history, store)
      if comparison.deletedCount < gone.count {
        missed.add(
          subject: entity.name, step: gone.step, count: gone.count - comparison.deletedCount,
          seen: "\(gone.count) rows were deleted and acknowledged, \(comparison.deletedCount) told of")
      }
    }
    if !missed.violations.isEmpty, !evidence.parameters.isComplete {
      throw Unusable("the cell did not come to its end, where its last saves would have been told of")
    }
    return CheckResult(
      name: name, exercised: told.saveCount, violations: missed.violations + duplicates.violations + wrong.violations,
      note: "\(told.saveCount) notifications were compared with the store")
  }

  /// How many keys were deleted by acknowledged deletes and have no row; and the step of the first.
  private static func acknowledgedDeletes(
    of entity: EntityLayout, _ history: History, _ store: StoreContents
  ) -> (count: Int, step: Int) {
    let steps = history.steps(of: .delete) { $0.type == .ok }[entity.number] ?? []
    let deleted = KeyRanges(steps.lazy.map { history.operations[$0].keys })
    return (deleted.subtracting(ascending: store.rows[entity.number]?.keys ?? []).count, steps.first ?? 0)
  }
}
