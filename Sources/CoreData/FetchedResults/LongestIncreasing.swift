/// The longest increasing subsequence of distinct numbers. Complexity: O(*n* log *n*).
struct LongestIncreasing {
  /// Ascending positions of its members.
  private(set) var positions: [Int] = []

  init(_ values: [Int]) {
    guard values.count > 1 else {
      positions = Array(values.indices)
      return
    }
    /// For each length, the position of the smallest value that ends a subsequence of it.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (position, value) in values.enumerated() {
      let length = ends.partitioning { values[$0] >= value }
      previous[position] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(position) } else { ends[length] = position }
    }
    var last = ends.last
    while let position = last {
      positions.append(position)
      last = previous[position]
    }
    positions.reverse()
    precondition(positions.count == ends.count, "there are as many positions as in the longest run")
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index from which on all elements meet the condition.
  func partitioning(_ meets: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if meets(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension RangeReplaceableCollection where Self: RandomAccessCollection & MutableCollection, Index == Int {
  /// Takes out the elements at ascending positions: up to `few` one by one, else in a pass.
  mutating func remove(atSorted positions: [Int], few: Int) {
    guard positions.count > few else {
      for position in positions.reversed() { remove(at: position) }
      return
    }
    precondition(positions[positions.count - 1] < count, "what is removed is in the list")
    var (write, next) = (positions[0], 0)
    for read in positions[0]..<count {
      if next < positions.count, positions[next] == read {
        next += 1
      } else {
        swapAt(write, read)
        write += 1
      }
    }
    removeLast(positions.count)
  }

  /// Puts elements before those at ascending positions of the collection as it is: up to `few` one by one, else in a pass.
  mutating func insert(_ new: [Element], atSorted positions: [Int], few: Int) {
    precondition(positions.count == new.count, "each new element has its position")
    guard new.count > few else {
      for (position, element) in zip(positions, new).reversed() { insert(element, at: position) }
      return
    }
    var merged = Self()
    merged.reserveCapacity(count + new.count)
    var copied = 0
    for (position, element) in zip(positions, new) {
      merged.append(contentsOf: self[copied..<position])
      merged.append(element)
      copied = position
    }
    merged.append(contentsOf: self[copied...])
    self = merged
  }
}
