import Boundary
import Foundation
import Reporting

/// Whether the disk has room for the next cell: a store that cannot grow is no fault of the strategy.
///
/// Concurrency: used by the run, which does one thing after the other.
final class DiskRoom {
  /// The first cell may need this much: nothing is known of it.
  static let firstBytes = 16 << 20
  /// With less than this a disk is full: the last write was refused.
  private static let fullBytes = 1 << 20

  private let folder: String
  private var largest = 0

  init(for folder: String) { self.folder = folder }

  /// Notes that a cell took so much.
  func record(bytes: Int) {
    precondition(bytes >= 0, "a cell takes room, or none")
    largest = max(largest, bytes)
  }

  /// Notes the room of a cell that has ended; its folder is still there.
  ///
  /// - Throws: `HarnessFailure` where it has filled the disk, which says nothing about its strategy.
  func record(_ cellFolder: String) throws(HarnessFailure) {
    record(bytes: Self.bytes(in: cellFolder))
    guard let free = Self.freeBytes(at: folder), free < Self.fullBytes else { return }
    throw HarnessFailure(
      "\(folder): its disk is full: the cell that ended had taken \(Self.text(largest)) and wanted more. "
        + "Make room, and continue with contextbench run --resume")
  }

  /// - Throws: `HarnessFailure` with the needed room where there is less.
  func require() throws(HarnessFailure) {
    if let free = Self.freeBytes(at: folder), let problem = problem(free: free) {
      throw HarnessFailure("\(folder): \(problem)")
    }
  }

  /// Says why so many free bytes are too few; nil where they are enough.
  func problem(free: Int) -> String? {
    precondition(free >= 0, "a disk has room or none")
    let needed = max(largest + largest / 4, Self.firstBytes)
    guard free < needed else { return nil }
    let known = largest > 0 ? "; the largest so far took \(Self.text(largest))" : ""
    return "its disk has \(Self.text(free)) free, and the next cell may need \(Self.text(needed))\(known). "
      + "Make room, and continue with contextbench run --resume"
  }

  private static func text(_ bytes: Int) -> String { HumanReadable.bytes(UInt64(bytes)) }

  private static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    return statvfs(path, &status) == 0 ? Int(status.f_bavail) * Int(status.f_frsize) : nil
  }

  private static func bytes(in folder: String) -> Int {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.reduce(0) { sum, name in
      var status = stat()
      // The room that it takes, not its length: a history is longer than the written part.
      return lstat(folder + "/" + name, &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
    }
  }
}
