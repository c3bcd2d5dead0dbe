/// A set of logical keys as ascending ranges that neither touch nor overlap.
struct KeyRanges: Sendable, Hashable {
  let ranges: [Range<Int64>]

  /// The union of any ranges.
  ///
  /// - Complexity: O(*n* log *n*).
  init(_ ranges: some Sequence<Range<Int64>>) {
    var union: [Range<Int64>] = []
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = union.last, range.lowerBound <= last.upperBound {
        union[union.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        union.append(range)
      }
    }
    precondition(
      zip(union, union.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "ranges that touch have become one")
    self.ranges = union
  }

  /// Ranges known to be ascending and apart.
  private init(ascending ranges: [Range<Int64>]) {
    let next = ranges.dropFirst()
    precondition(zip(ranges, next).allSatisfy { $0.upperBound < $1.lowerBound }, "ranges ascend, and are apart")
    self.ranges = ranges
  }

  var isEmpty: Bool { ranges.isEmpty }

  /// How many keys there are.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// The lowest key.
  var first: Int64? { ranges.first?.lowerBound }

  /// Those that are not among ascending `keys`.
  ///
  /// - Complexity: O(*n* log *m*) for *n* ranges and the *m* keys, plus the keys within the ranges.
  func subtracting(ascending keys: [Int64]) -> KeyRanges {
    precondition(zip(keys, keys.dropFirst()).allSatisfy { $0.0 <= $0.1 }, "keys that are subtracted ascend")
    var rest: [Range<Int64>] = []
    for range in ranges {
      var next = range.lowerBound
      var position = keys.lowerBound(of: range.lowerBound)
      while position < keys.count, keys[position] < range.upperBound {
        if keys[position] > next { rest.append(next..<keys[position]) }
        next = keys[position] + 1
        position += 1
      }
      if next < range.upperBound { rest.append(next..<range.upperBound) }
    }
    return KeyRanges(ascending: rest)
  }

  /// Those that no range of `other` covers.
  func subtracting(_ other: KeyRanges) -> KeyRanges {
    var rest: [Range<Int64>] = []
    var position = 0
    for range in ranges {
      var next = range.lowerBound
      while position < other.ranges.count, other.ranges[position].upperBound <= next { position += 1 }
      var covering = position
      while covering < other.ranges.count, other.ranges[covering].lowerBound < range.upperBound {
        if other.ranges[covering].lowerBound > next { rest.append(next..<other.ranges[covering].lowerBound) }
        next = max(next, other.ranges[covering].upperBound)
        covering += 1
      }
      if next < range.upperBound { rest.append(next..<range.upperBound) }
    }
    return KeyRanges(ascending: rest)
  }

  /// Those for which a condition holds.
  func filter(_ isIncluded: (Int64) -> Bool) -> KeyRanges {
    var kept: [Range<Int64>] = []
    for range in ranges {
      for key in range where isIncluded(key) {
        if let last = kept.last, last.upperBound == key {
          kept[kept.count - 1] = last.lowerBound..<key + 1
        } else {
          kept.append(key..<key + 1)
        }
      }
    }
    return KeyRanges(ascending: kept)
  }
}

extension KeyRanges: CustomStringConvertible {
  /// How many ranges a description lists.
  private static let describedRanges = 5

  /// The first ranges as text, and how many keys come after them: `3, 7..<12 and 80 more`.
  var description: String {
    let listed = ranges.prefix(Self.describedRanges)
    let text = listed.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)..<\($0.upperBound)" }
      .joined(separator: ", ")
    let rest = count - listed.reduce(0) { $0 + $1.count }
    return rest == 0 ? text : "\(text) and \(rest) more"
  }
}

extension [Int64] {
  /// Position of the first element not below `key` in an ascending array.
  func lowerBound(of key: Int64) -> Int {
    precondition(isEmpty || self[0] <= self[count - 1], "keys that are searched ascend")
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
