import RowStore

/// Functions of many numbers.
struct Statistics {
  private let numbers: [Double]

  init(_ numbers: [Double]) { self.numbers = numbers.sorted() }

  /// The number in the middle, or the mean of the two there; nil of nothing.
  var median: Double? {
    guard !numbers.isEmpty else { return nil }
    let middle = numbers.count / 2
    return numbers.count.isMultiple(of: 2) ? (numbers[middle - 1] + numbers[middle]) / 2 : numbers[middle]
  }

  /// Of the whole population; nil of nothing.
  var standardDeviation: Double? {
    guard !numbers.isEmpty else { return nil }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    return (numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)).squareRoot()
  }

  /// The numbers that are there most often, in order.
  var modes: [Double] {
    let counts = Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
    let most = counts.values.max() ?? 0
    return counts.filter { $0.value == most }.keys.sorted()
  }
}
