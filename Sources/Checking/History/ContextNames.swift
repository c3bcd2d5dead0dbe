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
