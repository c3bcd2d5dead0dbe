import Foundation

/// The numbers that keep an ordered relationship's members in order in the file (`Z_FOK_…`).
package enum OrderNumbers {
  /// The first member's.
  package static let first: Int64 = 2048
  /// From one member to the next, where nothing was inserted between them.
  package static let step: Int64 = 1024

  /// Numbers for members in their order, given those they have: as few as possible change.
  ///
  /// A member between two others gets the middle, those at the end continue in steps; without room all are numbered anew.
  /// Complexity: O(*n* log *n*).
  package static func assign(_ current: [Int64?]) -> [Int64] {
    let kept = longestRise(current)
    guard var last = kept.last else { return fresh(current.count) }
    var numbers = [Int64](repeating: 0, count: current.count)
    for position in kept { numbers[position] = current[position] ?? 0 }
    // Between the kept ones, and before the first of them.
    var previous = -1
    for position in kept {
      let low = previous < 0 ? 0 : numbers[previous]
      let gap = Int64(position - previous)
      let (room, isTooLarge) = numbers[position].subtractingReportingOverflow(low)
      guard !isTooLarge, room >= gap else { return fresh(current.count) }
      for offset in 1..<gap {
        numbers[previous + Int(offset)] = low + room / gap * offset + room % gap * offset / gap
      }
      previous = position
    }
    while last + 1 < current.count {
      let (next, isTooLarge) = numbers[last].addingReportingOverflow(step)
      if isTooLarge { return fresh(current.count) }
      numbers[last + 1] = next
      last += 1
    }
    return numbers
  }

  /// The number of a member `count` places behind the one with that number.
  package static func following(_ last: Int64, by count: Int = 1) -> Int64 {
    precondition(count > 0, "a member that is appended comes behind the last")
    let (number, isTooLarge) = last.addingReportingOverflow(Int64(count) * step)
    return isTooLarge ? .max : number
  }

  private static func fresh(_ count: Int) -> [Int64] { (0..<count).map { first + Int64($0) * step } }

  /// Positions of the longest strictly rising sequence among the numbers that are there.
  private static func longestRise(_ numbers: [Int64?]) -> [Int] {
    // For each length, the position where the sequence of that length with the smallest end ends.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: numbers.count)
    for (position, number) in numbers.enumerated() {
      guard let number else { continue }
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if let end = numbers[ends[middle]], end < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[position] = ends[low - 1] }
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var rise: [Int] = []
    var position = ends.last ?? -1
    while position >= 0 {
      rise.append(position)
      position = before[position]
    }
    return rise.reversed()
  }
}
