/// A sum that does not depend on the order of its terms: exact for integers, and rounded once for floating-point numbers.
///
/// - SeeAlso: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates".
package struct ExactSum {
  private var whole: Int128 = 0
  /// Non-overlapping parts of the sum of the floating-point numbers, in rising order.
  private var parts: [Double] = []
  /// The sum of infinite terms; parts cannot have it.
  private var infinite = 0.0
  private var hasReal = false

  package init() {}

  package mutating func add(_ slot: Slot) {
    switch slot {
    case .integer(let value):
      // No collection is long enough to overflow.
      whole &+= Int128(value)
    case .real(let value), .date(let value): add(value)
    default: break
    }
  }

  private mutating func add(_ value: Double) {
    hasReal = true
    guard value.isFinite else {
      infinite += value
      return
    }
    var value = value
    var kept = 0
    for part in parts {
      let (large, small) = abs(value) < abs(part) ? (part, value) : (value, part)
      let sum = large + small
      guard sum.isFinite else {
        infinite += sum
        return
      }
      let rest = small - (sum - large)
      if rest != 0 {
        parts[kept] = rest
        kept += 1
      }
      value = sum
    }
    parts.removeSubrange(kept...)
    parts.append(value)
  }

  /// An integer where only integers were added and it is one of 64 bits.
  package var sum: Slot {
    if !hasReal, let exact = Int64(exactly: whole) { return .integer(exact) }
    return .real(double).comparable
  }

  /// The sum over `count`; 0 of nothing.
  package func average(of count: Int) -> Slot { count == 0 ? .real(0) : .real(double / Double(count)).comparable }

  private var double: Double {
    guard infinite == 0 else { return infinite }
    var result = self
    // The integers in parts that a floating-point number holds exactly.
    var rest = whole
    while rest != 0 {
      let part = Double(rest)
      result.add(part)
      rest -= Int128(part)
    }
    guard result.infinite == 0 else { return result.infinite }
    return result.rounded
  }

  /// The parts rounded once to the nearest number, ties to even.
  private var rounded: Double {
    var parts = parts
    guard var total = parts.popLast() else { return 0 }
    var rest = 0.0
    while let part = parts.popLast() {
      let before = total
      total = before + part
      rest = part - (total - before)
      if rest != 0 { break }
    }
    if let next = parts.last, rest < 0 && next < 0 || rest > 0 && next > 0 {
      let twice = rest * 2
      let candidate = total + twice
      if twice == candidate - total { total = candidate }
    }
    return total
  }
}
