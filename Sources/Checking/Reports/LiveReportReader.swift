import Foundation

/// Reads the file of a `LiveReportWriter`.
package enum LiveReportReader {
  /// The violations of the file at `path`, in the order in which they were seen.
  ///
  /// A last line without its end is left by a dying process, and is passed over.
  ///
  /// - Throws: `Unusable`, when there is no such file, or a whole line is not a violation.
  package static func violations(at path: String) throws(Unusable) -> [Violation] {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw Unusable("\(path): the reports cannot be read: \(error.localizedDescription)")
    }
    let newline = UInt8(ascii: "\n")
    guard let end = data.lastIndex(of: newline) else { return [] }
    let decoder = JSONDecoder()
    var violations: [Violation] = []
    for (index, line) in data[..<end].split(separator: newline, omittingEmptySubsequences: false).enumerated() {
      do {
        violations.append(try decoder.decode(Violation.self, from: line))
      } catch {
        throw Unusable("\(path):\(index + 1): not a violation")
      }
    }
    return violations
  }
}
