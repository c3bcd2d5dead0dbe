import Foundation
import Scheduling

/// Runs the body of a test again and again, each time in another order of its tasks, queues and threads; fails by the first
/// order in which the body fails.
///
/// Everything that the body starts is part of it: tasks, actors, blocks of queues, timers, threads. Time passes when nothing else
/// is left to do. Each time the body begins anew, and it has to make anew the things that it changes, such as a store: see
/// ``temporaryStore()``. Orders that failed before and were kept beside the test are tried first.
///
/// - Parameters:
///   - schedules: how many orders; `CONTEXTBENCH_SCHEDULES` counts for more.
///   - seconds: when to stop with fewer; `CONTEXTBENCH_SECONDS` counts for more.
///   - file: the source beside which orders are kept.
///   - test: the name that orders are kept by.
///   - seed: other seeds try other orders; `CONTEXTBENCH_SEED` counts for more.
///   - faults: mistakes shown by the stack that an order fails by; others are warnings on standard error.
///     `CONTEXTBENCH_FAULTS` counts for more.
///   - body: the test. It fails by an error, by an expectation of Swift Testing's, by not coming to an end.
/// - Throws: ``FailingOrder`` with the order, made small, in which the body failed; ``NotExplored`` where none can be tried.
public func explore(
  schedules: Int = 500, seconds: Double = 1, seed: UInt64 = 1, faults: Set<StackFault> = .errors,
  file: String = #filePath, test: String = #function,
  @_inheritActorContext _ body: @escaping @Sendable () async throws -> Void
) async throws {
  // Of a test that is explored as a whole the body is a part.
  if Exploration.requested != nil, Simulation.isCurrent { return try await body() }
  guard !Simulation.isCurrent else { throw NotExplored("explore() cannot be called inside explore().") }
  let settings = try Settings(schedules: schedules, seconds: seconds, seed: seed, faults: faults)
  let place = ScheduleFile.Place(file: file, test: test)
  try OrderSearch(settings, place, ExploredBody(faults: settings.faults, body)).run()
}

/// An order in which a test fails.
public struct FailingOrder: Error, CustomStringConvertible, Sendable {
  /// The fault, and the order in which it comes.
  public let description: String
}

/// Why the orders of a test cannot be tried.
public struct NotExplored: Error, CustomStringConvertible, Sendable {
  /// The reason, in a sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// A place for a store that the calling test has for itself, in each order anew: the folder is empty, and is removed at the end
/// of the process or by the next order.
public func temporaryStore() -> URL {
  TemporaryFolders.shared.make().appendingPathComponent(TemporaryFolders.store, isDirectory: false)
}

/// Folders of the order that runs.
final class TemporaryFolders: Sendable {
  static let shared: TemporaryFolders = {
    atexit { TemporaryFolders.shared.removeAll() }
    return TemporaryFolders()
  }()
  private let made = Locked<(count: Int, folders: [URL])>((0, []))
  /// In memory where the system has that.
  private let root: URL = {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    let root = (isThere ? memory : FileManager.default.temporaryDirectory)
      .appendingPathComponent("contextbench-\(ProcessInfo.processInfo.processIdentifier)")
    return root
  }()

  static let store = "store.sqlite"

  func make() -> URL {
    let folder = made.withLock { made in
      made.count += 1
      made.folders.append(root.appendingPathComponent("\(made.count)", isDirectory: true))
      return made.folders[made.folders.count - 1]
    }
    if mkdir(folder.path, 0o777) != 0 {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    return folder
  }

  /// Removes the last order's stores.
  func removeOld() {
    let old = made.withLock { made in
      defer { made.folders = [] }
      return made.folders
    }
    for folder in old {
      let path = folder.path
      for ending in ["", "-wal", "-shm"] { unlink("\(path)/\(Self.store)\(ending)") }
      // Most have nothing else in them.
      if rmdir(path) != 0 { try? FileManager.default.removeItem(at: folder) }
    }
  }

  private func removeAll() { try? FileManager.default.removeItem(at: root) }
}
