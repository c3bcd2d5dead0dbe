import Foundation

/// The numbers that keep an ordered relationship's members in order in the file (`Z_FOK_…`).
package enum OrderNumbers {
  /// The first member's.
  package static let first: Int64 = 2048
  /// From one member to the next, where nothing was inserted between them.
  package static let step: Int64 = 1024

  /// Numbers for members in their order, given those they have: as few as possible change.
  ///
  /// A member between two others gets the middle, those at the end continue in steps. Without room those that follow are
  /// numbered anew, as many as it takes until there is room for others: in the long run a change costs few of them.
  /// Complexity: O(*n* log *n*).
  package static func assign(_ current: [Int64?]) -> [Int64] {
    let kept = longestRise(current)
    var numbers = [Int64](repeating: 0, count: current.count)
    var (previous, next) = (-1, 0)
    while next < kept.count {
      let low = previous < 0 ? 0 : numbers[previous]
      guard let end = roomyEnd(kept, next, current, low, previous) else { break }
      next = end
      let position = kept[next]
      let (room, isTooLarge) = (current[position] ?? 0).subtractingReportingOverflow(low)
      if isTooLarge { return fresh(current.count) }
      let gap = Int64(position - previous)
      for offset in 1..<gap {
        numbers[previous + Int(offset)] = low + room / gap * offset + room % gap * offset / gap
      }
      numbers[position] = low + room
      (previous, next) = (position, next + 1)
    }
    var last = previous < 0 ? first - step : numbers[previous]
    for position in (previous + 1)..<max(current.count, previous + 1) {
      let (number, isTooLarge) = last.addingReportingOverflow(step)
      if isTooLarge { return fresh(current.count) }
      numbers[position] = number
      last = number
    }
    precondition(numbers.count < 2 || numbers[0] < numbers[numbers.count - 1], "the numbers rise")
    return numbers
  }

  /// The first of the kept members, from `next` on, with a number that leaves room for those before it; nil without one.
  ///
  /// Where the next one does not, of every further one more room is wanted, and twice as many are left out each time.
  private static func roomyEnd(
    _ kept: [Int], _ next: Int, _ current: [Int64?], _ low: Int64, _ previous: Int
  ) -> Int? {
    var (end, step, spacing) = (next, 1, Int64(1))
    while end < kept.count {
      let (room, isTooLarge) = (current[kept[end]] ?? 0).subtractingReportingOverflow(low)
      if isTooLarge || room / spacing >= Int64(kept[end] - previous) { return end }
      end += step
      step *= 2
      spacing = Self.roomAnew
    }
    return nil
  }

  /// From one member that is numbered anew to the next, at least.
  private static let roomAnew: Int64 = 64

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
