import Foundation
import Scheduling

/// The folder with the large values of a store: `.NAME_SUPPORT/_EXTERNAL_DATA` beside it, as Apple's stores have it.
///
/// One object for a folder as long as a store, or a value of one, is in use. Files are never changed: another value has
/// another file. Thread-safe.
package final class ExternalFolder: Sendable {
  /// Values of more bytes get a file.
  static let largestInRow = 100 * 1024

  private struct Listed {
    package weak var file: ExternalData?
    /// No row has it any more: it is removed when it is not in use.
    var isGivenUp = false
  }

  private struct State {
    package var files: [String: Listed] = [:]
    package var reads = HeldFiles()
    package var lock: FolderLock?
    /// Where the store went on, with files of the same names.
    package var next: ExternalFolder?
  }

  private struct Weak {
    package weak var folder: ExternalFolder?
  }

  private static let open = Locked<[String: Weak]>([:])

  package let path: String
  private let state = Locked(State())

  private init(_ path: String) { self.path = path }

  deinit {
    let other = Self.open.withLock { open in
      let listed = open[path]?.folder
      if listed == nil { open[path] = nil }
      return listed
    }
    // Released here, not under the lock.
    withExtendedLifetime(other) {}
  }

  /// The folder of the store in that file, one per process.
  package static func of(_ storePath: String) -> ExternalFolder {
    let path = path(of: storePath)
    return open.withLock { open in
      if let folder = open[path]?.folder { return folder }
      let folder = ExternalFolder(path)
      open[path] = Weak(folder: folder)
      return folder
    }
  }

  /// Where the large values of the store in that file are; stores that differ only in their extensions share it.
  package static func path(of storePath: String) -> String {
    supportPath(of: storePath) + "/_EXTERNAL_DATA"
  }

  package static func supportPath(of storePath: String) -> String {
    let store = URL(fileURLWithPath: storePath)
    let folder = store.deletingLastPathComponent().resolvingSymlinksInPath()
    return folder.appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT").path
  }

  // MARK: Values

  /// The value in that file.
  package func file(named name: String) -> ExternalData {
    hold()
    return state.withLock { state in
      if let file = state.files[name]?.file { return file }
      let file = ExternalData(name: name, folder: self)
      state.files[name, default: Listed()].file = file
      return file
    }
  }

  package func read(_ name: String) throws -> Data {
    if let next = state.withLock({ $0.next }), let data = try? next.read(name) { return data }
    return try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  /// Has values read on from `other`: the store is at another place from now on, with its files.
  package func continueReading(in other: ExternalFolder) {
    guard other !== self else { return }
    let former = other.state.withLock { state in
      defer { state.next = nil }
      return state.next
    }
    state.withLock { $0.next = other }
    withExtendedLifetime(former) {}
  }

  // MARK: Files

  package func path(_ name: String) -> String { path + "/" + name }

  /// Writes a new file.
  ///
  /// - Parameter isDurable: whether the bytes are on the disk when the call returns.
  package func write(_ data: Data, isDurable: Bool) throws -> ExternalData {
    try make(isDurable: isDurable)
    // Marked as used before it is there, so that it is not swept.
    let file = file(named: UUID().uuidString)
    try FileSystem.create(path(file.name), data, isDurable: isDurable)
    return file
  }

  /// Another file with the same value, which takes no room where the file system knows links.
  package func copy(_ file: ExternalData, isDurable: Bool) throws -> ExternalData {
    if file.folder === self {
      let other = self.file(named: UUID().uuidString)
      if try FileSystem.addName(to: path(file.name), path(other.name)) { return other }
    }
    return try write(file.folder.read(file.name), isDurable: isDurable)
  }

  /// Makes the folder where there is none.
  package func make(isDurable: Bool) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    hold(again: true)
    guard isDurable else { return }
    let support = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileSystem.sync(support.path)
    try FileSystem.sync(support.deletingLastPathComponent().path)
  }

  /// Files that are not in use in this process; only such as a store has made.
  ///
  /// A search for files that no row refers to looks at the rows afterwards: a file is held until its row exists.
  var unheldNames: Set<String> {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
      UUID(uuidString: $0) != nil
    }
    return names.isEmpty ? [] : state.withLock { Set(names).subtracting($0.files.keys) }
  }

  // MARK: Giving up

  /// Gives up values that no row has any more: each file is removed when its value is not in use, and no reader could meet it.
  func giveUp(_ files: [ExternalData]) {
    state.withLock { state in
      for file in files { state.files[file.name]?.isGivenUp = true }
      guard !isKnownUniquelyReferenced(&state.reads) else { return }
      let reads = HeldFiles()
      state.reads.end(keeping: files, next: reads)
      state.reads = reads
    }
  }

  /// Held by a read until it ends; keeps the files that the read may need.
  package var reads: HeldFiles { state.withLock { $0.reads } }

  /// Forgets a value that goes; called by its deinitialiser.
  package func forget(_ name: String) {
    let other = state.withLock { state in
      // The file may be in use again by now.
      guard let listed = state.files[name] else { return ExternalData?.none }
      guard let file = listed.file else {
        state.files[name] = nil
        if listed.isGivenUp { unlink(path(name)) }
        return nil
      }
      return file
    }
    // Released here, not under the lock.
    withExtendedLifetime(other) {}
  }

  // MARK: Lock

  /// Keeps other processes from sweeping, as long as this object lives; with `again` in a folder that may be another now.
  package func hold(again: Bool = false) {
    state.withLock { state in
      if again, !(state.lock?.isOf(path) ?? true) { state.lock = nil }
      if state.lock == nil { state.lock = FolderLock(path) }
    }
  }

  /// Runs `body` while no other process has the store open; does nothing where one has.
  func alone(_ body: () throws -> Void) rethrows {
    hold(again: true)
    guard let lock = state.withLock({ $0.lock }) else { return }
    if try !lock.alone(body) { state.withLock { $0.lock = nil } }
  }
}

/// Reads of one time: as long as one is under way, files given up after it began stay.
package final class HeldFiles: @unchecked Sendable {
  // Sendable: changed once, under the folder's lock, and only released after that.

  private var files: [ExternalData] = []
  private var next: HeldFiles?

  /// Later reads are others; older ones keep the files of those as well.
  package func end(keeping files: [ExternalData], next: HeldFiles) {
    self.files = files
    self.next = next
  }
}
