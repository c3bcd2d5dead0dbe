import Foundation

/// The names of a cell's contexts, beside its histories: a JSON array in which the context of number 1 comes first.
package enum ContextNames {
  /// Name of the file in a cell's directory.
  package static let fileName = "contexts.json"

  /// Writes the names.
  package static func write(_ names: [String], in cellDirectory: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    try encoder.encode(names).write(to: URL(fileURLWithPath: cellDirectory).appendingPathComponent(fileName))
  }

  /// The names of several processes' contexts, which are numbered in turn: the first of each, then the second of each.
  ///
  /// A place where a process has no context gets a name made of its number.
  package static func joined(_ processes: [[String]]) -> [String] {
    let rounds = processes.map(\.count).max() ?? 0
    let names = (0..<rounds).flatMap { round in
      processes.enumerated().map { index, names in
        round < names.count ? names[round] : "context \(round * processes.count + index + 1)"
      }
    }
    guard processes.count > 1 else { return names }
    return names.enumerated().map { "\($1) of process \($0 % processes.count + 1)" }
  }

  /// The names of a cell; none where it was killed before it wrote them.
  package static func read(in cellDirectory: String) throws(Unusable) -> [String] {
    let url = URL(fileURLWithPath: cellDirectory).appendingPathComponent(fileName)
    guard let data = FileManager.default.contents(atPath: url.path) else { return [] }
    do {
      return try JSONDecoder().decode([String].self, from: data)
    } catch {
      throw Unusable("\(url.path): not the names of contexts: \(error.localizedDescription)")
    }
  }
}
