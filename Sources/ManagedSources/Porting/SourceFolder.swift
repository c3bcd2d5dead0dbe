import Foundation

/// The Swift files of a folder.
package enum SourceFolder {
  /// A folder or file that cannot be read or written.
  package struct Unusable: Error, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path): \(reason)" }
  }

  /// Paths of the Swift files at or below `path`, sorted; hidden folders, those of builds among them, are left out.
  package static func swiftFiles(at path: String) throws(Unusable) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Unusable(path: path, reason: "there is no such file or folder. Name one with Swift files")
    }
    guard isFolder.boolValue else { return [path] }
    return names(at: path) { $0.hasSuffix(".swift") }
  }

  /// Every file with its edits; the files are compiled together. Manifests, and files that no target of a manifest compiles,
  /// stay as they are.
  package static func port(_ path: String) throws(Unusable) -> PortedFolder {
    var packages = PortedPackages()
    var texts: [SwiftSource] = []
    var leftOut: [String] = []
    var swift5Files: Set<String> = []
    for file in try swiftFiles(at: path) where !PortedPackages.isManifest(URL(fileURLWithPath: file).lastPathComponent)
    {
      let package = packages.package(around: file)
      let full = URL(fileURLWithPath: file).standardizedFileURL.path
      guard package?.leavesOut(full) != true else {
        leftOut.append(file)
        continue
      }
      if package?.isSwift5(full) == true { swift5Files.insert(file) }
      do {
        texts.append(SwiftSource(path: file, text: try String(contentsOfFile: file, encoding: .utf8)))
      } catch {
        throw Unusable(path: file, reason: "it cannot be read as text in UTF-8. Take it out, or convert it")
      }
    }
    // A model that cannot be read is no matter of the sources.
    let entities = models(at: path).compactMap { try? ModelBundle($0).entities() }.flatMap { $0 }
    let module = PortedModule(texts, entities: entities, swift5Files: swift5Files)
    let files = texts.map { Porter.port($0.text(0..<$0.bytes.count), path: $0.path, in: module) }
    return PortedFolder(files: files, leftOut: leftOut, objectiveC: objectiveC(at: path))
  }

  /// Files in Objective-C.
  private static func objectiveC(at path: String) -> [SourceProblem] {
    names(at: path) { $0.hasSuffix(".m") || $0.hasSuffix(".mm") }.map { file in
      SourceProblem(
        path: file, line: 1, kind: "Objective-C",
        message: "Linux has no Objective-C with Foundation. Write the file in Swift, or leave it out.")
    }
  }

  /// Paths below a folder, hidden ones left out.
  private static func names(at path: String, _ isWanted: (String) -> Bool) -> [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in isWanted(name) && !name.split(separator: "/").contains { $0.hasPrefix(".") } }
      .sorted()
      .map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }

  /// Paths of the models below a folder, those inside another left out.
  private static func models(at path: String) -> [String] {
    names(at: path) { name in
      let parts = name.split(separator: "/")
      return isModel(parts.last) && !parts.dropLast().contains(where: isModel)
    }
  }

  private static func isModel(_ name: Substring?) -> Bool {
    name.map { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") } ?? false
  }

  /// Replaces a file's text by the ported one.
  package static func write(_ file: Porter.File) throws(Unusable) {
    do {
      try file.after.write(toFile: file.path, atomically: true, encoding: .utf8)
    } catch {
      throw Unusable(path: file.path, reason: "it cannot be written: \(error.localizedDescription)")
    }
  }
}

/// The outcome for a folder.
package struct PortedFolder {
  package let files: [Porter.File]
  /// Files that a `Package.swift` leaves out, which stay as they are.
  package let leftOut: [String]
  fileprivate let objectiveC: [SourceProblem]

  package var problems: [SourceProblem] { files.flatMap(\.problems) + objectiveC }

  /// The number of places of each kind, the most frequent first, and the files left out: each a line.
  package var summary: [String] {
    let kinds = Dictionary(grouping: problems, by: \.kind).mapValues(\.count)
    let sorted = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return sorted.map { "\($0.value) × \($0.key)" }
      + leftOut.map { "\($0) stays as it is: Package.swift leaves it out" }
  }
}
