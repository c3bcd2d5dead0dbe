import Measuring

/// Numbers as people read them: three significant digits and a fitting unit; `–` for a value that was not measured.
package enum HumanReadable {
  /// Shown for a value that was not measured.
  package static let notMeasured = "–"

  /// `1.23 s`, `45.6 ms`, `789 µs`, `12 ns`.
  package static func seconds(_ seconds: Double?) -> String {
    guard let seconds, seconds.isFinite else { return notMeasured }
    return scaled(seconds * 1e9, steps: [("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)])
  }

  /// As ``seconds(_:)``.
  package static func nanoseconds(_ nanoseconds: UInt64?) -> String { seconds(nanoseconds.map { Double($0) / 1e9 }) }

  /// `301 MB`: powers of 1,000.
  package static func bytes(_ bytes: UInt64?) -> String {
    guard let bytes else { return notMeasured }
    return scaled(Double(bytes), steps: [("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)])
  }

  /// `105,000`.
  package static func count(_ count: Int?) -> String {
    guard let count else { return notMeasured }
    var text = ""
    let digits = String(count.magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (count < 0 ? "-" : "") + text
  }

  /// `2.31×`.
  package static func ratio(_ ratio: Double?) -> String {
    guard let ratio, ratio.isFinite else { return notMeasured }
    return significant(ratio) + "×"
  }

  /// `12.3× (95 %: 9.81…15.1)`, without the interval where there is none.
  package static func ratio(_ estimate: RatioEstimate?) -> String {
    guard let estimate else { return notMeasured }
    guard let interval = estimate.interval else { return ratio(estimate.ratio) }
    let percent = significant(interval.confidence * 100)
    return "\(ratio(estimate.ratio)) (\(percent) %: \(significant(interval.low))…\(significant(interval.high)))"
  }

  /// Three significant digits, without an exponent: `0.00123`, `1.23`, `12.3`, `123`, `1,234`.
  package static func significant(_ number: Double) -> String {
    guard number.isFinite else { return notMeasured }
    guard number != 0 else { return "0" }
    let magnitude = abs(number)
    guard magnitude < 999.5 else {
      return magnitude < 1e15 ? count(Int(number.rounded())) : String(number)
    }
    var decimals = 2
    var limit = 9.995
    while magnitude >= limit, decimals > 0 {
      decimals -= 1
      limit *= 10
    }
    var small = 0.9995
    while magnitude < small, decimals < 9 {
      decimals += 1
      small /= 10
    }
    return fixed(number, decimals: decimals)
  }

  private static func scaled(_ number: Double, steps: [(unit: String, size: Double)]) -> String {
    let step = steps.last { abs(number) >= $0.size * 0.9995 } ?? steps[0]
    return "\(significant(number / step.size)) \(step.unit)"
  }

  private static func fixed(_ number: Double, decimals: Int) -> String {
    precondition(abs(number) < 1_000 && (0...9).contains(decimals), "the digits fit an integer")
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let digits = String(Int((abs(number) * power).rounded()))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = number < 0 ? "-" : ""
    return decimals == 0 ? sign + padded : "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }
}
