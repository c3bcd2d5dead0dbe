/// Ranges of Unicode scalars that texts are drawn from.
enum CharacterRanges {
  static let digits = [range("0", "9")]
  static let upper = [range("A", "Z")]
  static let lower = [range("a", "z")]
  static let word = digits + upper + lower + [range("_", "_")]
  static let space = [range(" ", " ")]
  /// Candidates for any character: the printable ones of ASCII.
  static let any = [range(" ", "~")]

  /// The printable characters of ASCII that are in none of the ranges.
  static func others(than ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    any[0].filter { scalar in !ranges.contains { $0.contains(scalar) } }.map { $0...$0 }
  }

  private static func range(_ low: Unicode.Scalar, _ high: Unicode.Scalar) -> ClosedRange<UInt32> {
    low.value...high.value
  }
}
