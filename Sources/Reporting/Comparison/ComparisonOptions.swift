/// How two runs are compared.
package struct ComparisonOptions: Sendable {
  /// What a comparison looks at.
  package enum Basis: String, Sendable, CaseIterable {
    /// Multiples of the floor where there is one, and else times, if both runs are of one machine.
    case automatic
    /// Multiples of the floor, and bytes: across machines.
    case ratios
    /// Times and bytes: on one machine.
    case times
  }

  package var basis = Basis.automatic
  package var thresholds: [Threshold] = []
  /// Further runs of what the base ran, which say how far two runs of the same thing lie apart.
  package var repeats: [Results] = []

  package init() {}
}
