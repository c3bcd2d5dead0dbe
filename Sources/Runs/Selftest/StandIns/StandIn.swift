import Checking

/// A broken small history, file or report for the checkers of a kind that no run of the stack can bring about, and a
/// sound one beside it.
///
/// A stand-in is a file in `StandIns/` with one `static let`, and a line in ``StandInCatalogue``.
package struct StandIn: Sendable {
  /// The kind that the checkers must find in the broken evidence.
  package let kind: ViolationKind
  /// Name in the table; kebab-case.
  package let name: String
  /// What is wrong, for one seed: the same seed gives the same evidence.
  package let broken: @Sendable (_ seed: UInt64) throws -> Evidence
  /// The same without what is wrong: a checker of the kind holds on it, and none raises an alarm.
  package let sound: @Sendable (_ seed: UInt64) throws -> Evidence

  /// Makes a stand-in.
  package init(
    _ name: String, of kind: ViolationKind, broken: @escaping @Sendable (_ seed: UInt64) throws -> Evidence,
    sound: @escaping @Sendable (_ seed: UInt64) throws -> Evidence
  ) {
    self.name = name
    self.kind = kind
    self.broken = broken
    self.sound = sound
  }
}
