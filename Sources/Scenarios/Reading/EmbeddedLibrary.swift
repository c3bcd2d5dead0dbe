import CScenarios
import Foundation

/// The shipped scenarios in this executable, for one that was copied away from its package.
///
/// They are written to a folder before they are read, since scenarios name models beside them.
package enum EmbeddedLibrary {
  /// Path below the folder → text.
  static let files: [(path: String, text: String)] = (0..<cscenarios_count()).map { index in
    let file = cscenarios_file(index)
    return (String(cString: file.path), String(cString: file.text))
  }

  /// The arrangements of contexts that an app can copy: the classes of `Examples/Arrangements`.
  package static let arrangements = String(cString: cscenarios_arrangements())

  /// The folder with the files, written where it lacks one: in the user's cache, or else among temporary files. Nil where
  /// neither can be written.
  static func folder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
    folder(with: files.map { ($0.path, Data($0.text.utf8)) }, named: "Scenarios-" + name, environment)
  }

  /// The same with other files.
  static func folder(
    with files: [(path: String, data: Data)], named name: String,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    precondition(!name.isEmpty && !name.contains("/"), "the files have a folder of their own")
    let caches = [environment["XDG_CACHE_HOME"], environment["HOME"].map { $0 + "/.cache" }]
    let places = caches.compactMap(\.self).filter { $0.hasPrefix("/") } + [NSTemporaryDirectory() + "/\(getuid())"]
    for place in places {
      let folder = URL(fileURLWithPath: place).standardizedFileURL.path + "/contextbench/" + name
      do {
        try write(files, to: folder)
        return folder
      } catch {
        continue
      }
    }
    return nil
  }

  /// Writes each file that is not there or differs; others may read the folder meanwhile, so each is replaced at once.
  static func write(_ files: [(path: String, data: Data)], to folder: String) throws {
    for (path, data) in files {
      precondition(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."), "a file stays in its folder")
      let file = URL(fileURLWithPath: folder + "/" + path)
      if (try? Data(contentsOf: file)) == data { continue }
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file, options: .atomic)
    }
  }

  /// Differs between executables with different scenarios.
  private static var name: String { hash(Data(files.map { $0.path + "\0" + $0.text + "\0" }.joined().utf8)) }

  /// FNV-1a.
  static func hash(_ data: Data) -> String {
    String(data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }
}
