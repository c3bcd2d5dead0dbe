/// `notifications`: the DidSave notifications of the contexts on a coordinator reported every difference that saves made to
/// the store, once, and nothing else.
///
/// Compared with the store's file: a row's version says how often it was saved. A row is inserted, then updated, then
/// deleted; two saves that overlap in time may be posted in either order. An object set to its old values, or one that
/// lost all its changes by the merge policy, is reported as updated and has no new version. Changes past contexts (batch
/// requests) are reported by no notification, and so are missed.
package struct NotificationChecker: Checker {
  /// The check's name; a cell that is judged by it records its notifications.
  package static let checkName = "notifications"

  package let name = checkName
  package let kinds: [ViolationKind] = [.missedNotification, .duplicateNotification, .wrongNotification]

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let reported = NotifiedSaves(history)
    guard reported.saveCount > 0 else { return CheckResult(name: name, exercised: 0, note: "no save was reported") }
    let store = try evidence.store.get()
    let layout = evidence.parameters.layout
    var missed = ViolationTally(kind: .missedNotification, expected: "each save is reported")
    var duplicates = ViolationTally(kind: .duplicateNotification, expected: "each save is reported once")
    var wrong = ViolationTally(
      kind: .wrongNotification, expected: "a notification is the difference that its save made to the store")
    for double in reported.doubled {
      duplicates.add(
        subject: double.context, step: double.step, seen: "a save was reported again, without another save")
    }
    for stray in reported.strays {
      wrong.add(subject: stray.context, step: stray.step, seen: "a notification came, and no save had begun")
    }
    for entity in layout.entities {
      guard let versions = store.versions[entity.number] else {
        throw Unusable("the versions of the store's rows were not read")
      }
      var comparison = NotifiedRows(reported.rows[entity.number] ?? [:], versions)
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
          seen: "\(gone.count) rows were deleted and acknowledged, \(comparison.deletedCount) reported")
      }
    }
    if !missed.violations.isEmpty, !evidence.parameters.isComplete {
      throw Unusable("the cell did not come to its end, where its last saves would have been reported")
    }
    return CheckResult(
      name: name, exercised: reported.saveCount,
      violations: missed.violations + duplicates.violations + wrong.violations,
      note: "\(reported.saveCount) notifications were compared with the store")
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
