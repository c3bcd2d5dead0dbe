import Foundation

/// A file that a person named for results.
package enum OutputFile {
  /// Whether a name means standard output.
  package static func isStandardOutput(_ path: String) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
  }

  /// Whether two names mean one file.
  package static func isOne(_ path: String, _ other: String) -> Bool { canonical(path) == canonical(other) }

  /// Writes it, whole or not at all; a device or a pipe is written into and not replaced, and so is the file behind a link.
  package static func write(_ text: String, to path: String) throws(ReportingError) {
    precondition(!path.isEmpty, "a file has a name: empty ones were refused")
    if isStandardOutput(path) { return print(text, terminator: "") }
    let place = place(path)
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: place), options: isReplaceable(place) ? .atomic : [])
    } catch {
      throw ReportingError(
        path: path, cause: "cannot be written: \(ReportingError.reason(error))",
        remedy: ReportingError.remedy(error, "Choose a place that is writable"))
    }
  }

  /// Why it could not be written, as the system says it; nil when nothing is known.
  package static func obstacle(_ path: String) -> ReportingError? {
    if isStandardOutput(path) { return nil }
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { return ReportingError(writing: path, EISDIR) }
      if status.st_mode & S_IFMT != S_IFREG {
        return access(path, W_OK) == 0 ? nil : ReportingError(writing: path, errno)
      }
    } else if errno != ENOENT {
      return ReportingError(writing: path, errno)
    }
    let folder = URL(fileURLWithPath: place(path)).deletingLastPathComponent().path
    return access(folder, W_OK | X_OK) == 0 ? nil : ReportingError(writing: path, errno)
  }

  /// How many links the system follows.
  private static let linksMax = 40

  /// Where links lead, also to a file that is not there yet; the path itself where it is none.
  private static func place(_ path: String, links: Int = linksMax) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    guard links > 0, let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    return place(URL(fileURLWithPath: next, relativeTo: folder).path, links: links - 1)
  }

  /// A name that all names of a file share, also of one that is not there yet.
  private static func canonical(_ path: String) -> String {
    if isStandardOutput(path) { return "-" }
    let url = URL(fileURLWithPath: place(path))
    return place(url.deletingLastPathComponent().path) + "/" + url.lastPathComponent
  }

  /// Whether it is a plain file, or is to become one.
  private static func isReplaceable(_ place: String) -> Bool {
    var status = stat()
    return lstat(place, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
}
