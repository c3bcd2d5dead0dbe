/// How two runs are compared.
package struct ComparisonOptions: Sendable {
  /// What a comparison looks at.
  package enum Basis: String, Sendable, CaseIterable {
    /// Times, if all runs are of one machine, and else multiples of the floor.
    case automatic
    /// Multiples of the floor, and bytes: across machines.
    case ratios
    /// Times and bytes: on one machine.
    case times
  }

  package var basis = Basis.automatic
  package var thresholds: [Threshold] = []
  /// Further runs of what the baseline ran, which show how much two runs of the same executable differ.
  package var repeats: [Results] = []
  /// The relative difference that every row must show or exclude; nil = none.
  package var mustShow: Double?

  package init() {}
}
