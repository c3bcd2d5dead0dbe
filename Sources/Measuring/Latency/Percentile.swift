/// The percentiles that are reported, each with the sample size below which it says nothing.
///
/// A tail percentile needs ten samples above it, or it is the luck of a few; the median is shown from two samples on.
package enum Percentile: String, CaseIterable, Sendable {
  case p50, p90, p99, p999

  /// Share of the samples at or below the percentile, in 0…1.
  package var quantile: Double {
    switch self {
    case .p50: 0.5
    case .p90: 0.9
    case .p99: 0.99
    case .p999: 0.999
    }
  }

  /// Fewest samples for which the percentile is given.
  package var countMin: UInt64 {
    switch self {
    case .p50: 2
    case .p90: 100
    case .p99: 1_000
    case .p999: 10_000
    }
  }
}
