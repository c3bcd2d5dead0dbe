import Checking
import Foundation
import Scenarios

/// The completions that this executable gives a shell.
enum Completions {
  /// Names of shipped scenarios, and the scenario files and folders of the folder that the word leads into.
  static func scenarios(_ prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    var isFolder: ObjCBool = false
    let files = names.sorted().compactMap { name -> String? in
      let path = folder + name
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      return isFolder.boolValue ? path + "/" : name.hasSuffix(".yml") || name.hasSuffix(".yaml") ? path : nil
    }
    return Executable.loader.shipped().map(\.name) + files
  }

  /// Kinds of violations.
  static var kinds: [String] { ViolationKind.allCases.map(\.rawValue) }

  /// Names of strategies, behind those that the word has already.
  static func strategies(_ prefix: String) -> [String] {
    let given = prefix.lastIndex(of: ",").map { String(prefix[...$0]) } ?? ""
    let taken = given.split(separator: ",").map(String.init)
    return Executable.loader.vocabulary[.strategies].filter { !taken.contains($0) }.map { given + $0 }
  }

  /// Keys with their equals sign.
  static var keys: [String] {
    Executable.loader.vocabulary.keys.filter(\.type.canBeWrittenOnCommandLine).map { $0.name + "=" }
  }
}
