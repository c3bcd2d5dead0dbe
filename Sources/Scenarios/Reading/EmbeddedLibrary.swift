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
    let caches = [environment["XDG_CACHE_HOME"], environment["HOME"].map { $0 + "/.cache" }]
    let places = caches.compactMap(\.self).filter { $0.hasPrefix("/") } + [NSTemporaryDirectory() + "/\(getuid())"]
    for place in places {
      let folder = URL(fileURLWithPath: place).standardizedFileURL.path + "/contextbench/Scenarios-" + name
      do {
        try write(to: folder)
        return folder
      } catch {
        continue
      }
    }
    return nil
  }

  /// Writes each file that is not there or differs; others may read the folder meanwhile, so each is replaced at once.
  static func write(to folder: String) throws {
    for (path, text) in files {
      let file = URL(fileURLWithPath: folder + "/" + path)
      let data = Data(text.utf8)
      if (try? Data(contentsOf: file)) == data { continue }
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file, options: .atomic)
    }
  }

  /// Differs between executables with different scenarios: FNV-1a.
  private static var name: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for (path, text) in files {
      for byte in (path + "\0" + text + "\0").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(hash, radix: 16)
  }
}
