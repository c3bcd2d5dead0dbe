import Foundation

/// A model of a target, as it goes among the target's resources: `Notes.xcdatamodeld` as the folder `Notes.momd`, which the
/// stack reads like the output of Apple's compiler.
package struct ModelBundle {
  private struct Version {
    let name: String
    let contents: Data
    let path: String
  }

  private let name: String
  private let versions: [Version]
  private let current: Version

  /// Finds the versions of an `.xcdatamodeld` or `.xcdatamodel`.
  package init(_ path: String) throws(SourceProblem) {
    let url = URL(fileURLWithPath: path)
    name = url.deletingPathExtension().lastPathComponent
    let isOne = FileManager.default.fileExists(atPath: path + "/contents")
    let folders =
      isOne ? [path] : Self.names(in: path).filter { $0.hasSuffix(".xcdatamodel") }.sorted().map { "\(path)/\($0)" }
    var found: [Version] = []
    for folder in folders {
      let file = folder + "/contents"
      guard let data = FileManager.default.contents(atPath: file) else {
        throw SourceProblem(path: file, line: 1, message: "there is no such file. Save the model with Xcode again.")
      }
      let own = URL(fileURLWithPath: folder).deletingPathExtension().lastPathComponent
      found.append(Version(name: own, contents: data, path: file))
    }
    versions = found
    let wanted = Self.currentName(in: path)
    let title = name
    guard let current = found.first(where: { $0.name == wanted ?? title }) ?? (found.count == 1 ? found[0] : nil) else {
      throw SourceProblem(
        path: path, line: 1,
        message: "nothing says which of \(found.count) versions is used. Choose the current version in Xcode.")
    }
    self.current = current
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private static func currentName(in folder: String) -> String? {
    let data = FileManager.default.contents(atPath: folder + "/.xccurrentversion")
    let plist = data.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) } as? [String: Any]
    return (plist?["_XCCurrentVersionName"] as? String).map {
      $0.hasSuffix(".xcdatamodel") ? String($0.dropLast(".xcdatamodel".count)) : $0
    }
  }

  /// The entities of the current version.
  package func entities() throws(SourceProblem) -> [ModelEntity] {
    try ModelEntity.read(current.contents, path: current.path)
  }

  /// Writes the folder anew.
  package func write(to folder: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    precondition(versions.contains { $0.name == current.name }, "the version that is used is one of the model's")
    for version in versions {
      try version.contents.write(to: URL(fileURLWithPath: "\(folder)/\(version.name).mom"))
    }
    let info = try PropertyListSerialization.data(
      fromPropertyList: ["NSManagedObjectModel_CurrentVersionName": current.name], format: .xml, options: 0)
    try info.write(to: URL(fileURLWithPath: folder + "/VersionInfo.plist"))
  }
}
