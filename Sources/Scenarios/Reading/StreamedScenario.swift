import Foundation

/// A scenario that can be read only once: standard input (`-`), a pipe, a shell's `<(…)`. It is copied into the
/// user's cache, where children, a resumed run and commands that reproduce a violation find it again.
package enum StreamedScenario {
  /// The copies of this process, by the given path.
  // Commands read their scenarios on the main thread, before anything else begins.
  nonisolated(unsafe) private static var copies: [String: String] = [:]

  /// Whether it is one.
  package static func isStream(_ file: String) -> Bool {
    if file == "-" { return true }
    var status = stat()
    guard stat(file, &status) == 0 else { return false }
    return [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// The copy of a stream, which is read once a process; any other file as it was given.
  ///
  /// - Throws: `ScenarioProblems` when it cannot be read, or not be copied.
  package static func path(of file: String) throws(ScenarioProblems) -> String {
    guard isStream(file) else { return file }
    if let known = copies[file] { return known }
    guard let handle = file == "-" ? .standardInput : FileHandle(forReadingAtPath: file),
      let data = try? handle.readToEnd() ?? Data()
    else { throw problem(file, "cannot be read", "Check its permissions") }
    let path = "\(EmbeddedLibrary.hash(data))/\(name(of: file)).yml"
    guard let folder = EmbeddedLibrary.folder(with: [(path, data)], named: "streams") else {
      throw problem(file, "cannot be copied into the cache", "Set XDG_CACHE_HOME to a folder that is writable")
    }
    copies[file] = folder + "/" + path
    return folder + "/" + path
  }

  /// A named pipe has its own name; others are numbered by their descriptors.
  private static func name(of file: String) -> String {
    let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    return file == "-" ? "standard-input" : stem.allSatisfy(\.isNumber) ? "input-\(stem)" : stem
  }

  private static func problem(_ file: String, _ what: String, _ advice: String) -> ScenarioProblems {
    ScenarioProblems([ScenarioProblem(source: file, what: what, advice: advice)])
  }
}
