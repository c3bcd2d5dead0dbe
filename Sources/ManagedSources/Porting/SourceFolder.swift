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
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      name.hasSuffix(".swift") && !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }

  /// Every file with its edits.
  package static func port(_ path: String) throws(Unusable) -> [Porter.File] {
    var files: [Porter.File] = []
    for file in try swiftFiles(at: path) {
      do {
        files.append(Porter.port(try String(contentsOfFile: file, encoding: .utf8), path: file))
      } catch {
        throw Unusable(path: file, reason: "it cannot be read as text in UTF-8. Take it out, or convert it")
      }
    }
    return files
  }

  /// Puts the ported text in place of what was there.
  package static func write(_ file: Porter.File) throws(Unusable) {
    do {
      try file.after.write(toFile: file.path, atomically: true, encoding: .utf8)
    } catch {
      throw Unusable(path: file.path, reason: "it cannot be written: \(error.localizedDescription)")
    }
  }
}
