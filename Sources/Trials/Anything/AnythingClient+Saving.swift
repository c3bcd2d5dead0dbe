import Cells
import Checking
import CoreData

// Saves of the own context and its child, and the file afterwards.

extension AnythingClient {
  func saveChild() throws {
    try requireHeard(.child)
    try settleContested(child)
    precondition(child.base == own.view, "a child has read its parent's state before it saves to it")
    let (inserted, changed, deleted) = (child.inserted, child.changed.subtracting(child.disputed), child.deleted)
    _ = notices[.child]?.drainSaves()
    let error = child.context.performAndWait { Self.error { try child.context.save() } }
    if let error { try refuse(error, child) }
    try checkSaved(.child, inserted, changed, deleted)
    own.context.performAndWait { own.context.processPendingChanges() }
    own.view = child.view
    child.start(from: own.view)
    child.context.performAndWait { child.release { child.view.nodes[$0] == nil } }
  }

  func settleContested(_ participant: Participant) throws {
    guard !participant.contested.isEmpty else { return }
    try participant.context.performAndWait { try checkAll(participant) }
  }

  func saveOwn() throws {
    let wasHeard = hasHeard
    if wasHeard { try settleContested(own) }
    precondition(!wasHeard || own.contested.isEmpty, "a save that meets no conflict has one outcome")
    let (inserted, changed, deleted) = (own.inserted, own.changed.subtracting(own.disputed), own.deleted)
    _ = notices[.own]?.drainSaves()
    let error = own.context.performAndWait { Self.error { try own.context.save() } }
    if let error {
      try checkRefused(.own)
      if session.faults.explains(error) { return try checkAfterFault(wasHeard) }
      if wasHeard || !isExplained(error) { try refuse(error, own) }
      return try hear(.own, .merge)
    }
    forwardToMain()
    guard wasHeard else { return try settleConflict() }
    own.start(from: own.view)
    try settle(own.view)
    try checkSaved(.own, inserted, changed, deleted)
    heardVersions = versions
    own.context.performAndWait { own.release { own.view.nodes[$0] == nil } }
  }

  /// Checks that a failed save left everything as it was; a context that has not heard of everything shows its later reads.
  private func checkAfterFault(_ wasHeard: Bool) throws {
    try checkFile()
    if wasHeard { try own.context.performAndWait { try checkAll(own) } }
  }

  /// Whether saves of others meanwhile may refuse a save with this error.
  private func isExplained(_ error: NSError) -> Bool {
    switch error.code {
    case NSManagedObjectMergeError: isRefusingConflicts
    case NSValidationRelationshipDeniedDeleteError, NSValidationMultipleErrorsError:
      own.deletesReferenced(in: file)
    default: false
    }
  }

  private var isRefusingConflicts: Bool {
    (own.context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType
  }

  /// Checks the file after a save of the own context without having heard of everything, and adopts its state.
  private func settleConflict() throws {
    let picture = try FilePicture(reader)
    let seen = picture.graph(of: island)
    try AnythingOutcome(
      policy: (own.context.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType, base: own.base,
      mine: own.view, theirs: file, seen: seen,
      isConflict: { [heardVersions, versions] in heardVersions[$0] != versions[$0] }
    ).check { try report($0, "the file after a save of \(own.name)", expected: $1, seen: $2) }
    try checkWhole(picture)
    try adopt(picture)
    takeArrived(.merge)
    own.start(from: file)
    heardVersions = versions
    try own.context.performAndWait { try checkAll(own) }
  }

  /// Deletes an object that a delete rule protects: the save is refused, and nothing is lost by that.
  func deny(_ actor: AnythingStep.Actor, _ name: Int) throws {
    try requireHeard(actor)
    let participant = participant(actor)
    var after = participant.view
    guard participant.base.nodes[name] != nil, after.apply(.delete(name)), !after.denied.isEmpty,
      after.denied.isSubset(of: participant.base.nodes.keys)
    else { return }
    let error = try participant.context.performAndWait {
      try participant.picture.apply(.delete(name)) { try participant.find($0, participant.view) }
      return Self.error { try participant.context.save() }
    }
    try requireRefusal(error, participant)
    try rollBack(actor)
  }

  func requireRefusal(_ error: NSError?, _ participant: Participant) throws {
    let codes = [NSValidationRelationshipDeniedDeleteError, NSValidationMultipleErrorsError]
    if let error, codes.contains(error.code) || session.faults.explains(error) { return }
    try report(
      .wrongValue, "a save of \(participant.name)",
      expected: "refused with 1600, since a delete rule denies a deletion",
      seen: error.map { "\($0.code)" } ?? "saved")
  }

  private func refuse(_ error: NSError, _ participant: Participant) throws {
    try report(
      .failedSave, "a save of \(participant.name)", expected: "saved",
      seen: "\(error.code): \(error.localizedDescription)")
  }

  /// Lets main hear of the own context's save, as it hears of the strategy's writers.
  private func forwardToMain() {
    guard let save = inbox.takeOwn() else { return }
    forwardToMain(save)
  }

  func forwardToMain(_ save: RemoteSave) {
    let main = session.strategy.mainContext
    session.environment.deliver {
      main.perform { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: save.identifiers, into: [main]) }
    }
  }

  static func error(_ body: () throws -> Void) -> NSError? {
    do {
      try body()
      return nil
    } catch { return error as NSError }
  }
}
