/// Which of two cells of a pair it is, that ran one beside the other.
package enum Arm: String, Codable, Sendable, CaseIterable {
  /// The first of the same thing twice.
  case a
  /// The second of the same thing twice.
  case b
  /// What the head is compared with: it ran in another executable.
  case base
  /// What is looked at.
  case head

  /// Whether the other of its pair is held against it.
  package var isBase: Bool { self == .a || self == .base }
}
