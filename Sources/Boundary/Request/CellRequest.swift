import Checking
import Scenarios

/// A parent's request to the child process that runs one cell; JSON on the child's standard input.
public struct CellRequest: Codable, Sendable {
  /// The cell's key.
  public var key: CellKey
  /// Name of the workload the scenario runs: `import`, `delete-during-request`, …
  public var workload: String
  /// Every scenario key with its resolved value, as text (`notes` → `5000`).
  public var settings: ScenarioSettings
  /// Folder of this cell: store, histories, reports and result are written there. Exists, and is empty.
  public var directory: String
  /// Names of the checks that the scenario asks for; some need more to be recorded.
  public var checks: [String]
  /// The process of the cell that is meant, where another process of the cell starts it; nil = the first.
  public var startedAs: ProcessShare?
  /// Folder of the cell, where ``directory`` is only that of one of its processes.
  public var cellDirectory: String?

  /// Whether the cell runs in a simulation, and marks its measured span for ``InstructionCounter``; nil = no.
  package var countsInstructions: Bool?
  /// Whether a cell counts its other costs where its instructions would be counted, which takes some of its own; nil = no.
  package var countsCosts: Bool?
  /// Whether the order of the cell's steps is noted, in ``CellFiles/order``; nil = no.
  package var notesOrder: Bool?

  /// Makes a request.
  public init(
    key: CellKey, workload: String, settings: ScenarioSettings, directory: String, checks: [String] = []
  ) {
    precondition(!workload.isEmpty && !directory.isEmpty, "a cell runs a workload, in a folder")
    self.key = key
    self.workload = workload
    self.settings = settings
    self.directory = directory
    self.checks = checks
  }
}

extension CellRequest {
  /// The process of the cell that this request is for.
  public var share: ProcessShare {
    startedAs ?? ProcessShare(index: 0, count: settings[Keys.processes])
  }

  /// Folder of the cell, whichever of its processes this is: the store, the histories and the reports are there.
  public var sharedDirectory: String { cellDirectory ?? directory }

  /// Folder of a process, from 0, in that of the cell.
  package static func directory(of process: Int, in cellDirectory: String) -> String {
    precondition(process >= 0, "a cell's processes count from 0")
    precondition(!cellDirectory.isEmpty, "a process has its folder in that of its cell")
    return process == 0 ? cellDirectory : "\(cellDirectory)/process-\(process + 1)"
  }
}
