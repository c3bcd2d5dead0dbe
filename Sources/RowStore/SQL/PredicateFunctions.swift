import Foundation
import SQLite

/// Functions that SQL calls for predicates where SQLite has no words for them: the code that evaluates in memory.
package enum PredicateFunctions {
  package static let matches = "coredata_matches"
  package static let like = "coredata_like"
  package static let beginsWith = "coredata_begins"
  package static let endsWith = "coredata_ends"
  package static let sum = "coredata_sum"
  package static let average = "coredata_average"
  /// A floating-point number by its bits.
  package static let double = "coredata_double"
  /// Bytes by their hexadecimal digits.
  static let blob = "coredata_blob"
  /// A text by the hexadecimal digits of its UTF-8.
  package static let text = "coredata_utf8"

  /// Makes everything known to a connection.
  package static func register(on connection: Connection) throws {
    if let last = aggregates.last, connection.has(last) { return }
    for function in functions { try connection.register(function) }
    for aggregate in aggregates { try connection.register(aggregate) }
  }

  private static let functions: [SQLFunction] =
    ScalarFunction.allCases.map { function in
      SQLFunction(function.sqlName, argumentCount: -1) { arguments in
        SQLValue(function((0..<arguments.count).map { Slot(arguments[$0]) }))
      }
    } + [
      comparison(like, .like), comparison(beginsWith, .beginsWith), comparison(endsWith, .endsWith),
      SQLFunction(matches, argumentCount: 3) { arguments in
        guard case .text(let text) = arguments[0], case .text(let pattern) = arguments[1],
          case .integer(let folding) = arguments[2]
        else { return .null }
        let matches = try RegularExpressions.matches(text, pattern, TextFolding(rawValue: Int(folding)))
        return .integer(matches ? 1 : 0)
      },
      SQLFunction(double, argumentCount: 1) { arguments in
        guard case .integer(let bits) = arguments[0] else { return .null }
        return .real(Double(bitPattern: UInt64(bitPattern: bits)))
      },
      SQLFunction(blob, argumentCount: 1) { arguments in bytes(arguments[0]).map { .blob($0) } ?? .null },
      SQLFunction(text, argumentCount: 1) { arguments in
        bytes(arguments[0]).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
      },
    ]

  private static func comparison(_ name: String, _ op: ResolvedComparison.Operator) -> SQLFunction {
    let comparison = ResolvedComparison(op: op)
    return SQLFunction(name, argumentCount: 2) { arguments in
      guard !arguments.isNull(at: 0), !arguments.isNull(at: 1) else { return .null }
      return .integer(try comparison.holds(Slot(arguments[0]), Slot(arguments[1])) ? 1 : 0)
    }
  }

  private static func bytes(_ value: SQLValue) -> [UInt8]? {
    guard case .text(let digits) = value else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.utf8.count / 2)
    var high: Int?
    for digit in digits.utf8 {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      if let first = high {
        bytes.append(UInt8(first * 16 + value))
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }

  private static let aggregates: [SQLAggregate] = [
    SQLAggregate(sum, argumentCount: 1) { SlotAccumulator { values in values.sum.sum } },
    SQLAggregate(average, argumentCount: 1) { SlotAccumulator { values in values.sum.average(of: values.count) } },
    SQLAggregate("coredata_\(GroupAggregate.median.rawValue)", argumentCount: 1) {
      SlotAccumulator(keepsValues: true) { $0.median }
    },
    SQLAggregate("coredata_\(GroupAggregate.mode.rawValue)", argumentCount: 1) {
      SlotAccumulator(keepsValues: true) { $0.mode }
    },
    SQLAggregate("coredata_\(GroupAggregate.stddev.rawValue)", argumentCount: 1) {
      SlotAccumulator(keepsValues: true) { $0.deviation }
    },
  ]
}

/// The values of a group of rows.
private final class SlotAccumulator: SQLAccumulator {
  package private(set) var sum = ExactSum()
  /// Nulls included.
  package private(set) var count = 0
  private var values: [Slot] = []
  private let keepsValues: Bool
  private let finish: @Sendable (SlotAccumulator) -> Slot

  package init(keepsValues: Bool = false, _ finish: @escaping @Sendable (SlotAccumulator) -> Slot) {
    self.keepsValues = keepsValues
    self.finish = finish
  }

  package func add(_ arguments: SQLArguments) {
    count += 1
    let slot = Slot(arguments[0])
    sum.add(slot)
    if keepsValues, slot.double != nil { values.append(slot) }
  }

  package func result() -> SQLValue { SQLValue(finish(self)) }

  package var median: Slot {
    let sorted = values.compactMap(\.double).sorted()
    guard !sorted.isEmpty else { return .null }
    let middle = sorted.count / 2
    return .real(sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2)
  }

  /// The value that there is most of; the least of several.
  package var mode: Slot {
    var counts: [Slot: Int] = [:]
    for value in values { counts[value.lookupKey, default: 0] += 1 }
    return counts.max { ($0.value, -($0.key.double ?? 0)) < ($1.value, -($1.key.double ?? 0)) }?.key ?? .null
  }

  /// The standard deviation of the whole group.
  var deviation: Slot {
    guard !values.isEmpty, let mean = sum.average(of: values.count).double else { return .null }
    var squares = ExactSum()
    for value in values.compactMap(\.double) { squares.add(.real((value - mean) * (value - mean))) }
    return .real((squares.average(of: values.count).double ?? 0).squareRoot())
  }
}

extension Slot {
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let text): self = .string(text)
    case .blob(let bytes): self = .data(Data(bytes))
    }
  }
}

extension SQLValue {
  fileprivate init(_ slot: Slot) {
    switch slot {
    case .null, .boxed: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value), .date(let value): self = .real(value)
    case .string(let text): self = .text(text)
    case .uuid(let uuid): self = withUnsafeBytes(of: uuid.uuid) { .blob([UInt8]($0)) }
    case .data(let data): self = .blob([UInt8](data))
    case .reference(let reference): self = .integer(reference.key)
    }
  }
}
