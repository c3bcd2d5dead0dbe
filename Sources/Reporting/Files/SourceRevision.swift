import Foundation

/// The revision of the source an executable was built from, read from the repository around it.
package enum SourceRevision {
  /// The commit that is checked out in the repository that contains `path`; nil outside one.
  ///
  /// It says nothing about changes that are not committed.
  package static func find(from path: String) -> String? {
    var folder = URL(fileURLWithPath: path).standardizedFileURL
    while folder.path != "/" {
      let git = folder.appendingPathComponent(".git")
      if FileManager.default.fileExists(atPath: git.path) { return head(of: repository(at: git)) }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// A work tree's `.git` is a file that names the repository: `gitdir: <path>`.
  private static func repository(at git: URL) -> URL {
    guard let text = text(git), text.hasPrefix("gitdir: ") else { return git }
    return URL(fileURLWithPath: String(text.dropFirst(8)), relativeTo: git.deletingLastPathComponent())
  }

  private static func head(of repository: URL) -> String? {
    guard let head = text(repository.appendingPathComponent("HEAD")) else { return nil }
    guard head.hasPrefix("ref: ") else { return head }
    let name = String(head.dropFirst(5))
    let common = text(repository.appendingPathComponent("commondir"))
      .map { URL(fileURLWithPath: $0, relativeTo: repository) }
    for folder in [repository, common].compactMap(\.self) {
      if let commit = text(folder.appendingPathComponent(name)) { return commit }
      let packed = text(folder.appendingPathComponent("packed-refs")) ?? ""
      for line in packed.split(separator: "\n") where line.hasSuffix(" " + name) {
        return String(line.prefix { $0 != " " })
      }
    }
    return nil
  }

  private static func text(_ url: URL) -> String? {
    (try? String(contentsOf: url, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
