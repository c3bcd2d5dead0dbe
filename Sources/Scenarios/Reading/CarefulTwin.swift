import Foundation

/// The right way beside a mistake, which is the section `careful:` of the mistake's file and runs under its own name.
struct CarefulTwin {
  /// The section of the file.
  static let key = "careful"
  private static let ending = "-careful"

  /// Path as of a file of its own, as `run` takes it.
  let path: String
  /// Its name in every output.
  var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// The twin of the mistake in a file.
  init(of mistake: String) {
    let file = URL(fileURLWithPath: mistake)
    path =
      mistake.dropLast(file.lastPathComponent.count) + file.deletingPathExtension().lastPathComponent + Self.ending
      + (file.pathExtension.isEmpty ? "" : "." + file.pathExtension)
  }

  /// The file that has the mistake of a twin, by the twin's path; nil where the path is not a twin's.
  static func mistake(of path: String) -> String? {
    let file = URL(fileURLWithPath: path)
    let name = file.deletingPathExtension().lastPathComponent
    guard name.hasSuffix(ending) else { return nil }
    return path.dropLast(file.lastPathComponent.count) + name.dropLast(ending.count)
      + (file.pathExtension.isEmpty ? "" : "." + file.pathExtension)
  }

  /// Whether a file has a right way beside its mistake.
  static func exists(in file: String) -> Bool {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return false }
    return text.split(separator: "\n").contains { $0.hasPrefix(key + ":") }
  }
}
