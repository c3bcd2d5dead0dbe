import Boundary
import Foundation

/// The steps of one client, a line each, after a line with its number: `client 2`.
struct AnythingScript: Sendable {
  let client: Int
  let steps: [AnythingStep]

  /// Reads a script; empty lines and those that begin with `#` are left out.
  ///
  /// - Throws: `HarnessFailure` with the line that is none of a script.
  init(path: String) throws {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw HarnessFailure("\(path): cannot be read. Write the path of a script, as a violation of anything names it")
    }
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    guard let first = lines.first, first.hasPrefix("client "), let number = Int(first.dropFirst(7)) else {
      throw HarnessFailure("\(path): begins without a line like \"client 2\"")
    }
    guard 1..<SharedObjects.island ~= number else {
      throw HarnessFailure("\(path): there is no client \(number). They are numbered from 1")
    }
    client = number
    steps = try lines.dropFirst().map { line in
      guard let step = AnythingStep(line) else { throw HarnessFailure("\(path): no step: \(line)") }
      return step
    }
  }
}
