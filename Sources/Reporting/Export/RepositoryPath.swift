import Foundation

/// Paths from the root of a repository.
enum RepositoryPath {
  /// The path from the repository's root, `GITHUB_WORKSPACE` or the nearest folder above with `.git`; without a repository
  /// as it was given, and without `./`. Nil for a path that is no file there.
  static func relative(
    _ path: String, workspace: String? = ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"]
  ) -> String? {
    let file = URL(fileURLWithPath: path).standardizedFileURL.path
    guard let root = workspace.flatMap({ $0.isEmpty ? nil : $0 }) ?? root(above: file) else {
      return path.hasPrefix("/") || !path.contains(".")
        ? nil : String(path.hasPrefix("./") ? path.dropFirst(2) : path[...])
    }
    let folder = URL(fileURLWithPath: root).standardizedFileURL.path
    guard file.hasPrefix(folder + "/"), path.contains(".") else { return nil }
    return String(file.dropFirst(folder.count + 1))
  }

  private static func root(above path: String) -> String? {
    var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.path + "/.git") { return folder.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}
