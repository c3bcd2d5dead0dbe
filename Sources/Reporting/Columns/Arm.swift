/// Which of two cells of a pair it is, that ran one beside the other.
package enum Arm: String, Codable, Sendable, CaseIterable {
  /// The first cell of an A/A pair.
  case a
  /// The second cell of an A/A pair.
  case b
  /// What the candidate is compared with: it ran in another executable.
  case base
  /// What is looked at.
  case head

  /// Whether the other of its pair is held against it.
  package var isBase: Bool { self == .a || self == .base }
}
