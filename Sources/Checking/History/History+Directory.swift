import Foundation

extension History {
  /// How the history files of a cell end.
  package static let fileExtension = "bin"

  /// Where the history of a worker belongs in a cell's directory: `histories/<process>.bin`.
  package static func path(of process: UInt32, in cellDirectory: String) -> String {
    "\(cellDirectory)/histories/\(process).\(fileExtension)"
  }

  /// Reads and merges all history files of a cell's directory.
  ///
  /// - Throws: `Unusable`, when there is none, or one of them is unusable.
  package init(cellDirectory: String) throws(Unusable) {
    let folder = cellDirectory + "/histories"
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix("." + Self.fileExtension) }
    } catch {
      throw Unusable("\(folder): the histories cannot be listed: \(error.localizedDescription)")
    }
    guard !names.isEmpty else { throw Unusable("\(folder): no histories") }
    var workers: [[Operation]] = []
    for name in names.sorted() { workers.append(try HistoryReader.operations(at: "\(folder)/\(name)")) }
    try self.init(merging: workers, contextNames: ContextNames.read(in: cellDirectory))
  }
}
