import Foundation

/// The package's folder, found from this file's place in it.
enum PackageFolder {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().standardizedFileURL

  /// Everything that is read by people, built or run; without folders that are made by building and running.
  static let folders = ["Sources", "Tests", "Scenarios", "scripts", ".ci"]
  static let files = [
    "Package.swift", "README.md", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "DEVIATIONS.md", ".gitignore",
    ".swift-format",
  ]

  /// All text files of the package, sorted by path.
  static func everything() throws -> [SourceFile] { try loaded.get() }

  /// All text files below `folder`.
  static func sources(in folder: String) throws -> [SourceFile] {
    try everything().filter { $0.path.hasPrefix(folder + "/") }
  }

  // Read once: blanking out comments and strings takes a second.
  private static let loaded = Result {
    try folders.flatMap(paths).compactMap(source) + files.compactMap(source)
  }

  private static func paths(below folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (names?.compactMap { $0 as? String } ?? []).sorted().map { "\(folder)/\($0)" }
  }

  /// The file at `path`, or nil when it is not there, is a folder or is not text.
  static func source(_ path: String) throws -> SourceFile? {
    let url = root.appendingPathComponent(path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
      return nil
    }
    return String(data: try Data(contentsOf: url), encoding: .utf8).map { SourceFile(path: path, text: $0) }
  }
}
