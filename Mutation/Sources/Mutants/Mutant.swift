/// One bug at one place: text put before and after a range of the source, which a switch turns on.
///
/// The text between stays as it is, on its lines, and may hold other mutants. Where several begin or end at the same place, the
/// one with the longer range is outside.
package struct Mutant: Codable, Hashable, Sendable {
  /// Placeholder for the mutant's number in the text before and after.
  package static let numberMark = "%N%"

  package let file: String
  package let line: Int
  package let column: Int
  package let mutation: MutationOperator
  /// Bytes of the file.
  package let start: Int
  package let end: Int
  package let before: String
  package let after: String
  /// The lines of the function, or else of the declaration, around it.
  package let firstLine: Int
  package let lastLine: Int
  /// The change as a reader sees it: `a < b → a <= b`.
  package let note: String

  /// The condition under which this mutant is active.
  static let isActive = "_mutated(\(numberMark))"
}
