import Checking

extension ViolationKind {
  /// The kind's cause and remedy.
  package var explanation: Explanation {
    switch self {
    case .contextOffQueue: .contextOffQueue
    case .objectOffQueue: .objectOffQueue
    case .crossContextRelationship: .crossContextRelationship
    case .temporaryIDEscaped: .temporaryIDEscaped
    case .inaccessibleFault: .inaccessibleFault
    case .readOnlyContextWritten: .readOnlyContextWritten
    case .deadlock: .deadlock
    case .lockOrder: .lockOrder
    case .hang: .hang
    case .crash: .crash
    case .lostRecord: .lostRecord
    case .duplicateRecord: .duplicateRecord
    case .resurrectedRecord: .resurrectedRecord
    case .orphanRecord: .orphanRecord
    case .danglingReference: .danglingReference
    case .asymmetricInverse: .asymmetricInverse
    case .unpersistedSave: .unpersistedSave
    case .lostUpdate: .lostUpdate
    case .wrongValue: .wrongValue
    case .dirtyRead: .dirtyRead
    case .tornRead: .tornRead
    case .readSkew: .readSkew
    case .writeSkew: .writeSkew
    case .longFork: .longFork
    case .incompatibleOrder: .incompatibleOrder
    case .staleRead: .staleRead
    case .nonMonotonicRead: .nonMonotonicRead
    case .readYourWrites: .readYourWrites
    case .missedNotification: .missedNotification
    case .duplicateNotification: .duplicateNotification
    case .wrongNotification: .wrongNotification
    case .controllerDivergence: .controllerDivergence
    case .wrongWinner: .wrongWinner
    case .mainThreadStall: .mainThreadStall
    case .logGrowth: .logGrowth
    case .failedSave: .failedSave
    case .contextLeak: .contextLeak
    case .observerLeak: .observerLeak
    case .storeCorruption: .storeCorruption
    case .historyDivergence: .historyDivergence
    case .missedTransaction: .missedTransaction
    case .repeatedTransaction: .repeatedTransaction
    case .misorderedTransaction: .misorderedTransaction
    case .ownTransactionMerged: .ownTransactionMerged
    case .tokenRegression: .tokenRegression
    case .earlyPurge: .earlyPurge
    case .generationChange: .generationChange
    case .durabilityLost: .durabilityLost
    }
  }
}
