#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A percentile of the latencies of several cells together, and of all but one of them.
///
/// A percentile of the whole needs the whole: percentiles of cells are neither averaged nor compared.
package struct PooledLatency: Sendable {
  /// Latencies in ascending order, each with how many there are.
  package typealias Counts = [(nanoseconds: UInt64, count: UInt64)]

  private let cells: [Counts]
  private let whole: Counts
  private let total: UInt64

  /// Pools cells.
  package init(_ cells: [Counts]) {
    precondition(
      cells.allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $0.nanoseconds <= $1.nanoseconds } },
      "the latencies of a cell ascend")
    self.cells = cells
    var counts: [UInt64: UInt64] = [:]
    for entry in cells.joined() { counts[entry.nanoseconds, default: 0] += entry.count }
    whole = counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    total = counts.values.reduce(0, +)
  }

  /// How many latencies there are, all cells together.
  package var count: UInt64 { total }
  /// How many cells there are.
  package var cellCount: Int { cells.count }

  /// The logarithm of the latency that a share of all did not exceed; nil where there is none.
  ///
  /// - Parameters:
  ///   - share: In 0…1.
  ///   - cell: One that is left out; nil = none.
  /// - Complexity: O(distinct latencies).
  package func logarithm(_ share: Double, without cell: Int? = nil) -> Double? {
    precondition((0...1).contains(share), "a share lies in 0…1")
    precondition(cell.map(cells.indices.contains) ?? true, "the cell that is left out is one of the pool")
    let left: Counts = cell.map { cells[$0] } ?? []
    let count = total - left.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    let rank = min(count, max(1, UInt64((share * Double(count)).rounded(.up))))
    var (seen, place) = (UInt64(0), 0)
    for entry in whole {
      var own = entry.count
      while place < left.count, left[place].nanoseconds == entry.nanoseconds {
        own -= left[place].count
        place += 1
      }
      seen += own
      if seen >= rank { return log(Double(max(1, entry.nanoseconds))) }
    }
    preconditionFailure("a rank is that of one of the latencies")
  }

  /// How far the logarithm would be off, by leaving out one cell after the other: its variance, nil of fewer than two cells
  /// or where a cell holds all latencies.
  ///
  /// - SeeAlso: Tukey, "Bias and Confidence in Not-quite Large Samples", 1958: the jackknife, here of whole cells, since
  ///   latencies of one cell are not independent.
  package func variance(_ share: Double) -> Double? {
    Self.variance(cells.indices.map { logarithm(share, without: $0) })
  }

  /// The same of the ratio of two pools with cells that ran in pairs.
  package static func varianceOfPairs(_ base: PooledLatency, _ head: PooledLatency, _ share: Double) -> Double? {
    precondition(base.cellCount == head.cellCount, "pairs have two cells each")
    return variance(
      base.cells.indices.map { cell in
        guard let old = base.logarithm(share, without: cell), let new = head.logarithm(share, without: cell) else {
          return nil
        }
        return new - old
      })
  }

  private static func variance(_ values: [Double?]) -> Double? {
    let known = values.compactMap(\.self)
    guard known.count == values.count, known.count >= 2 else { return nil }
    let n = Double(known.count)
    let mean = known.reduce(0, +) / n
    return (n - 1) / n * known.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
