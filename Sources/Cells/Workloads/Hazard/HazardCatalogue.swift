/// All hazards by name.
package enum HazardCatalogue {
  /// The hazards, in the order in which the key's declaration lists them.
  package static let all: [Hazard] = [
    .wrongQueue, .mainContextInBackground, .saveOutsidePerform, .operationMadeOnMain, .objectFaultedElsewhere,
    .childLoopOnMain, .mainSyncInPerform, .mergeWhileMainWaits, .mainSavedInChild, .savePerObject,
    .lostUpdate, .secondWriter, .wrongValue, .resurrectedRecord, .dirtyRead, .nonMonotonicRead, .readYourWrites,
    .tornRead, .readSkew, .writeSkew,
    .longFork, .incompatibleOrder, .findOrCreate,
    .forgottenCompletion, .performOnConfined, .crossedWriters,
    .readOnlyContextWritten, .observerLeak, .contextLeak, .prefaultAfterDelete,
    .untoldBatchUpdate, .repostedNotification, .inventedNotification, .forgedNotification,
    .touchedRelationship, .poisonedContext,
    .swallowedError, .storeReset, .copiedWhileOpen,
    .missedTransaction, .repeatedTransaction, .misorderedTransaction, .ownTransactionMerged, .tokenRegression,
    .earlyPurge, .generationChange,
  ]

  /// Their names.
  package static let names: [String] = all.map(\.name)

  /// The hazard of that name, if there is one.
  package static func hazard(named name: String) -> Hazard? { all.first { $0.name == name } }
}
