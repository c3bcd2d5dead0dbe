import Scenarios

extension CellRequest {
  /// Which process of the cell this request is for.
  public var share: ProcessShare {
    startedAs ?? ProcessShare(index: 0, count: settings[Keys.processes])
  }

  /// Folder of the cell, whichever of its processes this is: the store, the histories and the reports are there.
  public var sharedDirectory: String { cellDirectory ?? directory }

  /// Folder of a process, from 0, in that of the cell.
  package static func directory(of process: Int, in cellDirectory: String) -> String {
    precondition(process >= 0, "a cell's processes count from 0")
    return process == 0 ? cellDirectory : "\(cellDirectory)/process-\(process + 1)"
  }
}
