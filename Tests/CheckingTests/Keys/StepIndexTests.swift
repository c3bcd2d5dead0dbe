import Testing

@testable import Checking

struct StepIndexTests {
  @Test func findsWhatAScanFinds() throws {
    var lines: [String] = []
    for index in 0..<60 {
      let lower = (index * 37) % 50
      lines.append("w\(index) ok push Note \(lower)..<\(lower + index % 7 * (index % 5))")
    }
    let history = try HistoryText.history(lines.joined(separator: "\n"))
    let index = StepIndex(history.operations.indices, of: history)
    for lower in Int64(-2)..<80 {
      for length in Int64(0)..<5 {
        let keys = lower..<lower + length
        let scan = history.operations.indices.filter {
          !history.operations[$0].keys.isEmpty && history.operations[$0].keys.overlaps(keys)
        }
        #expect(index.steps(overlapping: keys).sorted() == scan)
      }
    }
  }
}
