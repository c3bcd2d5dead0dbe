@testable import Checking

extension [Transaction] {
  /// Transactions written as text, one a line, one after the other: an outcome, then `a1=2` (append 2 to list 1) and
  /// `r1=[2 3]` (read list 1).
  init(_ text: String) {
    self = text.split(separator: "\n").enumerated().map { index, line in
      let head = line.prefix { $0 != " " }
      guard let outcome = OperationType.allCases.first(where: { $0.name == head }) else {
        preconditionFailure("a transaction starts with ok, fail or info: \(line)")
      }
      var operations: [Transaction.MicroOperation] = []
      for match in line.matches(of: /([ar])(\d+)=(?:(\d+)|\[([\d ]*)\])/) {
        let key = Int64(match.2) ?? 0
        operations.append(
          match.1 == "a"
            ? .append(key: key, value: match.3.flatMap { Int64($0) } ?? 0)
            : .read(key: key, values: (match.4 ?? "").split(separator: " ").compactMap { Int64($0) }))
      }
      return Transaction(
        process: UInt32(index), outcome: outcome, start: 2 * index, end: 2 * index + 1, operations: operations)
    }
  }
}
