import Foundation

extension History {
  /// Cuts the files of a cell that ended early to their records: each was lengthened for more, and only its writer's end cuts it.
  ///
  /// - Parameter directory: the cell's; no writer has its files open.
  package static func cutFiles(in directory: String) throws {
    let folder = directory + "/histories"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = folder + "/" + name
      let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
      let used = data.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
      let records = max(0, used - HistoryFormat.headerSize + HistoryFormat.recordSize - 1) / HistoryFormat.recordSize
      let length = HistoryFormat.headerSize + records * HistoryFormat.recordSize
      precondition(length >= used, "no record is cut")
      if length < data.count { truncate(path, off_t(length)) }
    }
  }
}
