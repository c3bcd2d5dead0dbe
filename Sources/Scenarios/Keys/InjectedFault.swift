import Checking

/// A fault that scenarios can ask for: something that goes wrong on a real system too.
package enum InjectedFault: String, CaseIterable, Sendable {
  case busy
  case failedSave = "failed-save"
  case slowCommit = "slow-commit"
  case slowRead = "slow-read"
  case lateDelivery = "late-delivery"
  case doubledDelivery = "doubled-delivery"
  case deleteBeforeUse = "delete-before-use"
  case death
  case powerLoss = "power-loss"

  /// The scenario key that says how often.
  package var rateKey: String {
    switch self {
    case .busy: "fault_busy_rate"
    case .failedSave: "fault_failed_save_rate"
    case .slowCommit: "fault_slow_commit_rate"
    case .slowRead: "fault_slow_read_rate"
    case .lateDelivery: "fault_late_delivery_rate"
    case .doubledDelivery: "fault_doubled_delivery_rate"
    case .deleteBeforeUse: "fault_delete_rate"
    case .death: "fault_death_rate"
    case .powerLoss: "fault_power_loss_rate"
    }
  }

  /// Its effect, in a sentence.
  package var meaning: String {
    switch self {
    case .busy: "another process holds the file's lock longer than SQLite waits: transactions begin with SQLITE_BUSY"
    case .failedSave: "a transaction fails at a statement or at its commit: SQLITE_FULL or SQLITE_IOERR"
    case .slowCommit: "a commit takes longer: a slow or shared disk"
    case .slowRead: "a read of the file takes longer"
    case .lateDelivery: "a context is notified late of a save, perhaps after later ones"
    case .doubledDelivery: "a context is notified twice of a save"
    case .deleteBeforeUse: "another context deletes a row between its fetch and its use"
    case .death: "the process is killed in a save"
    case .powerLoss: "the power fails in a save, in simulations only: what was not synced is gone"
    }
  }

  /// Whether it ends the cell.
  package var isFatal: Bool { self == .death || self == .powerLoss }

  /// The violations that a run with this fault may show though nothing is wrong with stack and strategy.
  ///
  /// Rows that were acknowledged may be lost by a loss of power only, where the scenario does not have each commit synced.
  package func mayCause(_ settings: ScenarioSettings) -> Set<ViolationKind> {
    guard self == .powerLoss, settings[Keys.synchronous] != .full else { return mayAlwaysCause }
    return mayAlwaysCause.union([.lostRecord, .lostUpdate, .resurrectedRecord, .wrongValue, .unpersistedSave])
  }

  /// Those whatever the settings are.
  package var mayAlwaysCause: Set<ViolationKind> {
    switch self {
    // A child's pushed change stays in its parent, and is read there, until a later save of the parent succeeds.
    case .busy, .failedSave: [.failedSave, .unpersistedSave, .dirtyRead, .incompatibleOrder]
    case .slowCommit, .slowRead: [.mainThreadStall]
    // A context without a save's notification reads old values and deleted rows, lists old objects, and saves on top of them.
    case .lateDelivery: [.staleRead, .inaccessibleFault, .controllerDivergence, .failedSave]
    case .doubledDelivery: []
    case .deleteBeforeUse: [.inaccessibleFault, .failedSave]
    // A dead process does not repeat a refused save.
    case .death, .powerLoss: [.crash, .failedSave]
    }
  }

  /// How often it happens; 0 where the scenario does not ask for it.
  package func rate(_ settings: ScenarioSettings) -> Double {
    let rate = settings.values[rateKey].flatMap { Double($0) } ?? 0
    precondition((0...1).contains(rate), "\(rateKey) was validated when the scenario was read; it is \(rate)")
    return rate
  }

  /// Whether it can happen in a cell: a late or doubled delivery needs a delivery.
  ///
  /// Nothing is delivered where all work on main's own objects, or on children of main.
  package func applies(to strategy: StrategyDescription?, _ settings: ScenarioSettings) -> Bool {
    switch self {
    case .lateDelivery, .doubledDelivery:
      // A soak's clients with contexts of their own merge their saves themselves.
      strategy?.deliversSaves(settings) ?? true || settings.values["contexts"] == "own"
    case .busy, .failedSave, .slowCommit, .slowRead, .deleteBeforeUse, .death, .powerLoss: true
    }
  }

  /// The faults that a scenario asks for.
  package static func wanted(_ settings: ScenarioSettings) -> [InjectedFault] {
    allCases.filter { $0.rate(settings) > 0 }
  }
}
