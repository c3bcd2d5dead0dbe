import Checking
import Foundation
import Measuring

/// The files that a cell that did not pass leaves in the results folder: useful ones, within the limits of the key `keep`.
struct KeptFiles {
  /// A longer history is compressed; other files keep the names by which sentences and commands find them.
  static let plainBytesMax = 1 << 16

  /// The list of omitted files, where there are any.
  static let noteName = "left-out.txt"

  private let folder: String

  /// - Parameter folder: the cell's, with nothing in it that is still written.
  init(in folder: String) { self.folder = folder }

  private struct File {
    /// Relative to the folder.
    let name: String
    let bytes: Int
  }

  private var files: [File] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.sorted().compactMap { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
      return File(name: name, bytes: (attributes?[.size] as? Int) ?? 0)
    }
  }

  /// Removes files that a readable one covers, compresses a long history, and omits the largest until the rest is small
  /// enough.
  ///
  /// - Throws: an error of the file system.
  func bound(bytesMax: Int) throws {
    precondition(bytesMax >= 0, "a limit is a number of bytes")
    let manager = FileManager.default
    let history = "history.jsonl"
    if manager.fileExists(atPath: folder + "/" + history) {
      for name in ["histories", ContextNames.fileName] { try? manager.removeItem(atPath: folder + "/" + name) }
    }
    for file in files where file.name == history && file.bytes > Self.plainBytesMax {
      try GzipFile.compress(folder + "/" + file.name)
    }
    let kept = files
    var total = kept.reduce(0) { $0 + $1.bytes }
    var note = ""
    for file in kept.sorted(by: { ($1.bytes, $0.name) < ($0.bytes, $1.name) }) where total > bytesMax {
      try manager.removeItem(atPath: folder + "/" + file.name)
      total -= file.bytes
      note += "\(file.name): \(file.bytes) bytes, more than keep allows, which is \(bytesMax) for all of the cell\n"
    }
    precondition(0...bytesMax ~= total, "the rest is small enough")
    guard !note.isEmpty else { return }
    try Data(note.utf8).write(to: URL(fileURLWithPath: folder + "/" + Self.noteName))
  }
}
