import Scheduling

/// The workloads that scenarios can name; the shipped ones are registered from the start.
public enum WorkloadRegistry {
  private static let shipped: [any Workload.Type] = [
    ImportWorkload.self,
    ReloginSyncWorkload.self,
    LongReaderWorkload.self,
    DeleteDuringRequestWorkload.self,
    NestedPerformAndWaitWorkload.self,
    HandOffWorkload.self,
    CrossedNestingWorkload.self,
    SoakWorkload.self,
    CountersWorkload.self,
    BankWorkload.self,
    ListAppendWorkload.self,
    SetWorkload.self,
    FindOrCreateWorkload.self,
    HazardWorkload.self,
    CascadeStormWorkload.self,
    UIChurnWorkload.self,
    IDHandOffWorkload.self,
    CrashRecoveryWorkload.self,
    StoreLifecycleWorkload.self,
    OwnModelWorkload.self,
    MergeConflictWorkload.self,
    PendingChangesWorkload.self,
    AppWorkload.self,
  ]

  // Filled before the first run and only read afterwards; the lock makes late registrations harmless.
  private static let registered = Locked<[any Workload.Type]>(shipped)

  /// Adds a workload.
  ///
  /// - Precondition: No workload of that name is registered.
  public static func register(_ workload: any Workload.Type) {
    registered.withLock { list in
      precondition(!list.contains { $0.name == workload.name }, "workload \(workload.name) is registered twice")
      list.append(workload)
    }
  }

  /// All workloads, in the order of their registration.
  public static var all: [any Workload.Type] { registered.withLock { $0 } }

  /// The workload of that name, if there is one.
  public static func workload(named name: String) -> (any Workload.Type)? { all.first { $0.name == name } }
}
