import Boundary
import CMemoryFiles
import RowStore
import Scheduling

/// The file of a simulated cell as its processes use it: each has locks of its own, and changes that others see are steps.
enum SimulatedFiles {
  /// Lets a killed process leave what one of the system's would; once a process of the system.
  static func begin() {
    SimulatedProcess.whenKilled { process in
      cmemoryfiles_kill(process.number)
      StoreWatch.noteKill(of: process)
    }
  }

  /// Whether a cell has several processes in a simulation.
  static func areShared(by request: CellRequest) -> Bool {
    request.share.count > 1 || request.workload == CrashRecoveryWorkload.name
  }

  /// Runs a simulation with several processes.
  static func shared<Result>(_ body: () -> Result) -> Result {
    cmemoryfiles_watch(
      cmemoryfiles_hooks(
        process: { SimulatedProcess.current?.number ?? 0 },
        step: { kind, part in
          guard let kind, let part else { return }
          Checkpoint(String(cString: kind), resource: Checkpoint.storeResource).reach(String(cString: part))
        },
        pause: { microseconds in
          guard Simulation.isCurrent else { return 0 }
          Simulation.wait(nanoseconds: UInt64(max(1, microseconds)) * 1_000)
          return 1
        }))
    defer { cmemoryfiles_watch(cmemoryfiles_hooks()) }
    return body()
  }
}
