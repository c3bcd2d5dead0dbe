import Foundation
import Synchronization

/// The one process that writes into a results folder.
///
/// It has a lock of the system's on a file of the folder, which names the process: the system takes the lock back when
/// the process ends, however it does, and holds it on a network's file system for all machines. The file goes with the owner.
package final class FolderOwner: Sendable {
  package static let fileName = "owner.json"
  /// How often a file that its owner has just removed is tried again.
  private static let triesMax = 100
  /// SQLite opens paths of 512 bytes; the rest is for files in the folder.
  private static let pathBytesMax = 400

  /// The contents of the file.
  struct Owner: Codable, Sendable, Hashable {
    var process: Int32
    var host: String
    var command: String

    var text: String { "process \(process) on \(host) (\(command))" }

    static var current: Owner {
      Owner(
        process: getpid(), host: ProcessInfo.processInfo.hostName,
        command: CommandLine.arguments.dropFirst().joined(separator: " "))
    }
  }

  private let path: String
  private let descriptor: CInt
  private let isHeld = Atomic<Bool>(true)
  /// Says that the owner before has ended without giving the folder up; nil where there was none.
  package let takeover: String?

  /// Makes a folder for new results, and owns it.
  ///
  /// - Parameters:
  ///   - file: a file that every folder with results has.
  ///   - kind: the subject of the results.
  package convenience init(
    ofNew shownPath: String, without file: String = Manifest.fileName, of kind: String = "run"
  ) throws(ReportingError) {
    try self.init(of: shownPath)
    guard FileManager.default.fileExists(atPath: shownPath + "/" + file) else { return }
    release()
    throw ReportingError(
      path: shownPath, cause: "holds the results of another \(kind)", remedy: "Choose another folder")
  }

  /// Makes the folder where it is not there yet, and owns it.
  ///
  /// - Parameter shownPath: the folder as it was given.
  /// - Throws: `ReportingError` where another process owns it, or nothing can be written into it.
  package init(of shownPath: String) throws(ReportingError) {
    precondition(!shownPath.isEmpty, "a folder has a name: empty ones were refused")
    let folder = Self.place(shownPath)
    guard folder.utf8.count <= Self.pathBytesMax else {
      throw ReportingError(
        path: shownPath,
        cause:
          "its path has \(folder.utf8.count) bytes, and stores can be opened in one of \(Self.pathBytesMax) at most",
        remedy: "Choose a shorter path")
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ReportingError(
        path: shownPath, cause: "the folder cannot be made: \(ReportingError.reason(error))",
        remedy: ReportingError.remedy(error, "Choose a folder that is writable"))
    }
    path = folder + "/" + Self.fileName
    descriptor = try Self.lock(path, shownPath)
    let before = Self.owner(of: path)
    takeover = before.map {
      "\(shownPath): \($0.text) wrote into it and has ended without coming to its end; this process takes over."
    }
    let data = (try? JSONEncoder().encode(Owner.current)) ?? Data()
    guard ftruncate(descriptor, 0) == 0, WholeWrite.send(String(decoding: data, as: UTF8.self), to: descriptor) else {
      throw ReportingError(writing: shownPath + "/" + Self.fileName, errno)
    }
  }

  /// The absolute path of a folder, where the system has it: `..` behind a symbolic link is the folder of the link's target.
  ///
  /// The shell has written out a home already: a name that begins with ~ is a name.
  package static func place(_ shownPath: String) -> String {
    let whole = shownPath.hasPrefix("/") ? shownPath : FileManager.default.currentDirectoryPath + "/" + shownPath
    var folder = URL(fileURLWithPath: "/")
    for part in whole.split(separator: "/") where part != "." {
      if part == ".." {
        folder = folder.resolvingSymlinksInPath()
        if folder.path != "/" { folder.deleteLastPathComponent() }
      } else {
        folder.appendPathComponent(String(part))
      }
    }
    return folder.path
  }

  /// Opens the file and locks it; one that its owner removes meanwhile is no lock of the folder any more.
  private static func lock(_ path: String, _ shownPath: String) throws(ReportingError) -> CInt {
    for _ in 0..<triesMax {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw ReportingError(writing: shownPath + "/" + fileName, errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        close(descriptor)
        throw code == EWOULDBLOCK ? isOwned(shownPath, path) : ReportingError(writing: shownPath + "/" + fileName, code)
      }
      if isNamed(path, descriptor) { return descriptor }
      close(descriptor)
    }
    throw isOwned(shownPath, path)
  }

  /// Whether that is the file's name, and no other file has it now.
  private static func isNamed(_ path: String, _ descriptor: CInt) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
  }

  private static func isOwned(_ shownPath: String, _ path: String) -> ReportingError {
    ReportingError(
      path: shownPath, cause: "\(owner(of: path)?.text ?? "another process") is writing into it",
      remedy: "Wait for its end, or choose another folder")
  }

  private static func owner(of path: String) -> Owner? {
    FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(Owner.self, from: $0) }
  }

  /// Gives the folder up; nothing once that was done.
  package func release() {
    guard isHeld.exchange(false, ordering: .relaxed) else { return }
    precondition(descriptor >= 0, "an owner has its file open")
    if Self.isNamed(path, descriptor) { unlink(path) }
    close(descriptor)
  }

  deinit { release() }
}
