/// Sorts elements with a number that decides nearly always: by the number's bytes from the last to the first, and only those
/// with one number by a comparison.
package enum PrefixOrder {
  /// One element: the beginning of its key, and its index.
  package struct Place: BitwiseCopyable {
    package let prefix: UInt64
    package let index: Int

    package init(prefix: UInt64, index: Int) { (self.prefix, self.index) = (prefix, index) }

    @inline(__always)
    fileprivate func digit(_ number: Int) -> Int { Int(truncatingIfNeeded: prefix >> (8 * UInt64(number))) & 255 }
  }

  private static let digits = 8
  private static let values = 256
  /// Fewer are sorted by comparisons alone: the digits are counted in 2,048 places first.
  private static let leastCounted = 256

  /// Brings the places into the order of their prefixes, and equal ones into that of `precedes`.
  ///
  /// Complexity: O(*n*) for *n* places, and O(*m* log *m*) for *m* of one prefix.
  /// - Returns: false where they were in that order already.
  package static func sort(_ places: inout ContiguousArray<Place>, _ precedes: (Place, Place) -> Bool) -> Bool {
    func isBefore(_ left: Place, _ right: Place) -> Bool {
      left.prefix != right.prefix ? left.prefix < right.prefix : precedes(left, right)
    }
    let isSorted = zip(places, places.dropFirst()).allSatisfy { !isBefore($1, $0) }
    if isSorted { return false }
    guard places.count >= leastCounted else {
      places.sort(by: isBefore)
      return true
    }
    sortByDigits(&places)
    places.withUnsafeMutableBufferPointer { places in
      var start = 0
      while start < places.count {
        var end = start + 1
        while end < places.count, places[end].prefix == places[start].prefix { end += 1 }
        if end - start > 1 { places[start..<end].sort(by: precedes) }
        start = end
      }
    }
    return true
  }

  private static func sortByDigits(_ places: inout ContiguousArray<Place>) {
    let count = places.count
    withUnsafeTemporaryAllocation(of: Int.self, capacity: digits * values) { counts in
      counts.initialize(repeating: 0)
      for place in places {
        for digit in 0..<digits { counts[digit * values + place.digit(digit)] += 1 }
      }
      withUnsafeTemporaryAllocation(of: Place.self, capacity: count) { spare in
        places.withUnsafeMutableBufferPointer { places in
          var (source, target) = (places, spare)
          for digit in 0..<digits {
            let counts = counts[digit * values..<(digit + 1) * values]
            // Where all have it there is nothing to sort.
            if counts[counts.startIndex + source[0].digit(digit)] == count { continue }
            scatter(source, into: target, by: digit, UnsafeMutableBufferPointer(rebasing: counts))
            swap(&source, &target)
          }
          if source.baseAddress != places.baseAddress { _ = places.update(fromContentsOf: source) }
        }
      }
    }
  }

  /// - Parameter counts: how many have each value of the digit; changed.
  @inline(__always)
  private static func scatter(
    _ source: UnsafeMutableBufferPointer<Place>, into target: UnsafeMutableBufferPointer<Place>, by digit: Int,
    _ counts: UnsafeMutableBufferPointer<Int>
  ) {
    var next = 0
    for value in 0..<values { (counts[value], next) = (next, next + counts[value]) }
    for place in source {
      let value = place.digit(digit)
      target.initializeElement(at: counts[value], to: place)
      counts[value] += 1
    }
    precondition(counts[values - 1] == source.count, "each row is put at its place")
  }
}
