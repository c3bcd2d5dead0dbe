import Checking
import Foundation

@testable import Cells

/// A worker's recorder; its history is not read.
enum TestRecorder {
  static func make(kinds: Int = WorkerRecorder.kindsDefault) throws -> WorkerRecorder {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recorder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let history = try HistoryWriter(path: folder.path + "/history", process: 1)
    // The file lives on as long as it is mapped.
    try FileManager.default.removeItem(at: folder)
    return WorkerRecorder(history: history, role: .worker, kinds: kinds)
  }
}
