import Foundation

/// The package's folder, found from this file's place in it.
enum PackageFolder {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().standardizedFileURL

  /// Everything that is read by people, built or run; without folders that are made by building and running.
  static let folders = ["Sources", "Tests", "Scenarios", "scripts", ".ci"]
  static let files = ["Package.swift", "README.md", "DEVIATIONS.md", ".gitignore", ".swift-format"]

  /// All text files below `folder`, sorted by path.
  static func sources(in folder: String) throws -> [SourceFile] {
    let base = root.appendingPathComponent(folder)
    guard let paths = FileManager.default.enumerator(atPath: base.path) else { return [] }
    return try paths.compactMap { $0 as? String }.sorted().compactMap { try source("\(folder)/\($0)") }
  }

  /// All text files of the package.
  static func everything() throws -> [SourceFile] {
    try folders.flatMap(sources) + files.compactMap(source)
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
