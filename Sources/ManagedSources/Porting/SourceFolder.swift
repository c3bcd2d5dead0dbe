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

  /// Every file with its edits; the files are compiled together.
  package static func port(_ path: String) throws(Unusable) -> [Porter.File] {
    var texts: [(path: String, text: String)] = []
    for file in try swiftFiles(at: path) {
      do {
        texts.append((file, try String(contentsOfFile: file, encoding: .utf8)))
      } catch {
        throw Unusable(path: file, reason: "it cannot be read as text in UTF-8. Take it out, or convert it")
      }
    }
    // A model that cannot be read is no matter of the sources.
    let entities = models(at: path).compactMap { try? ModelBundle($0).entities() }.flatMap { $0 }
    let module = PortedModule(texts.map { SwiftSource(path: $0.path, text: $0.text) }, entities: entities)
    return texts.map { Porter.port($0.text, path: $0.path, in: module) }
  }

  /// Paths of the models below a folder, those inside another left out.
  private static func models(at path: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      let parts = name.split(separator: "/")
      return !parts.contains { $0.hasPrefix(".") } && isModel(parts.last) && !parts.dropLast().contains(where: isModel)
    }.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
  }

  private static func isModel(_ name: Substring?) -> Bool {
    name.map { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") } ?? false
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
