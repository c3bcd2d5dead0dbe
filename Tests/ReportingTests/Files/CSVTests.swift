import Scheduling
import SwiftCSV
import Testing

@testable import Reporting

struct CSVTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"so\"", "\"say \"\"so\"\"\""), ("a\nb", "\"a\nb\""),
    ("a\r\nb", "\"a\r\nb\""), (" x", "\" x\""), ("x ", "\"x \""), ("노트", "노트"),
  ])
  func quotesStandOnlyWhereTheyAreNeeded(field: String, expected: String) {
    #expect(CSV.quoted(field) == expected)
  }

  @Test(arguments: 0..<50)
  func whatIsWrittenIsReadBack(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let pieces = ["a", ",", "\"", "\n", " ", "Ω", "노", "x\"y", ";"]
    let width = Int.random(in: 2...6, using: &random)
    let rows = (0..<8).map { _ in
      (0..<width).map { _ in
        (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
    }
    let header = (0..<width).map { "c\($0)" }
    let text = ([header] + rows).map(CSV.line).joined()
    let csv = try EnumeratedCSV(string: text, delimiter: .comma, loadColumns: false)
    #expect(csv.rows == rows, "seed \(seed): \(text)")
  }
}
