/// The stalls of the main thread that are longer than one limit and not longer than the next.
struct StallClass {
  private let subject: String
  private let severity: Severity
  /// In nanoseconds.
  let limit: Int64
  private var count = 0
  private var longest: Int64 = 0
  private var firstStep: Int?

  init(subject: String, severity: Severity, limit: Int64) {
    precondition(limit > 0, "a stall is longer than some time")
    self.subject = subject
    self.severity = severity
    self.limit = limit
  }

  /// Counts a stall.
  mutating func add(_ nanoseconds: Int64, step: Int) {
    precondition(nanoseconds > limit, "a stall is counted by a class whose limit it exceeds")
    count += 1
    longest = max(longest, nanoseconds)
    firstStep = firstStep ?? step
  }

  /// The stalls as one violation; nil without any.
  var violation: Violation? {
    guard count > 0 else { return nil }
    return Violation(
      kind: .mainThreadStall, severity: severity, subject: subject,
      expected: "held at most \(Self.text(limit, roundingUp: false))",
      seen: "held up to \(Self.text(longest, roundingUp: true))", count: count, firstStep: firstStep)
  }

  /// Milliseconds with a digit after the point where they are not whole: a value over a limit never reads as the limit.
  private static func text(_ nanoseconds: Int64, roundingUp: Bool) -> String {
    let tenths = (nanoseconds + (roundingUp ? 99_999 : 0)) / 100_000
    return tenths % 10 == 0 ? "\(tenths / 10) ms" : "\(tenths / 10).\(tenths % 10) ms"
  }
}
