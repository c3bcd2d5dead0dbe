import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The floor beside a cell as a control variate: the machine's load slows the cell as well as the floor, but not as much.
///
/// A ratio takes the whole of the floor's logarithm off, and with it brings in the floor's own variation. The fitted slope
/// takes off as much as lowers the variance.
///
/// - SeeAlso: Lavenberg, Welch, "A Perspective on the Use of Control Variables", 1981.
struct FloorCovariate {
  /// By how much of the floor's logarithm a value follows it, in 0…1.
  let slope: Double
  private let mean: Double

  /// One that changes nothing.
  init() {
    slope = 0
    mean = 0
  }

  /// Fits the slope within groups of cells, each of one strategy in one run, so that differences between them do not count.
  init(groups: [[CellRow]], _ metric: ComparedMetric) {
    let points = groups.map { group in
      group.compactMap { row -> (x: Double, y: Double)? in
        guard let value = metric.value(row), let floor = row.floorSeconds, value > 0, floor > 0 else { return nil }
        return (log(floor), log(value))
      }
    }
    var (products, squares) = (0.0, 0.0)
    for group in points where !group.isEmpty {
      let x = group.reduce(0) { $0 + $1.x } / Double(group.count)
      let y = group.reduce(0) { $0 + $1.y } / Double(group.count)
      for point in group {
        products += (point.x - x) * (point.y - y)
        squares += (point.x - x) * (point.x - x)
      }
    }
    let all = points.joined()
    // Without a floor beside each of them, some would be changed and others not.
    let isComplete = groups.allSatisfy { $0.allSatisfy { metric.value($0) == nil || ($0.floorSeconds ?? 0) > 0 } }
    slope = isComplete && squares > 0 ? min(1, max(0, products / squares)) : 0
    mean = all.isEmpty ? 0 : all.reduce(0) { $0 + $1.x } / Double(all.count)
    precondition(slope.isFinite && mean.isFinite, "a slope is fitted to logarithms of values above zero")
  }

  /// The logarithm of a cell's value, without the floor's share of the variation; nil when the value is not above zero.
  func logarithm(of row: CellRow, _ metric: ComparedMetric) -> Double? {
    guard let value = metric.value(row), value > 0 else { return nil }
    guard slope > 0, let floor = row.floorSeconds else { return log(value) }
    precondition(floor > 0, "a slope is fitted only where every cell has a floor")
    return log(value) - slope * (log(floor) - mean)
  }
}
