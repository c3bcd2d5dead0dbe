import Testing

@testable import Checking

struct KeyRangesTests {
  /// Every set of keys below 6, as ranges of its members and of its pairs of neighbours.
  private static let sets: [Set<Int64>] = (0..<64).map { bits in
    Set((0..<6).filter { bits >> $0 & 1 == 1 }.map(Int64.init))
  }

  private func ranges(_ set: Set<Int64>) -> KeyRanges { KeyRanges(set.map { $0..<$0 + 1 }) }

  private func keys(_ ranges: KeyRanges) -> Set<Int64> { Set(ranges.ranges.joined()) }

  @Test func subtractionIsThatOfSets() {
    for left in Self.sets {
      #expect(keys(ranges(left)) == left)
      #expect(ranges(left).count == left.count)
      for right in Self.sets {
        let difference = left.subtracting(right)
        #expect(keys(ranges(left).subtracting(ranges(right))) == difference, "\(left) − \(right)")
        #expect(keys(ranges(left).subtracting(ascending: right.sorted())) == difference, "\(left) − \(right)")
        #expect(ranges(left).filter { !right.contains($0) } == ranges(difference), "\(left) − \(right)")
      }
    }
  }

  @Test func rangesThatTouchOrOverlapBecomeOne() {
    #expect(KeyRanges([5..<9, 0..<3, 3..<4, 7..<12, 2..<2]).ranges == [0..<4, 5..<12])
  }

  @Test func keysThatAreThereTwiceAreSubtractedOnce() {
    #expect(KeyRanges([0..<5]).subtracting(ascending: [1, 1, 1, 3]).ranges == [0..<1, 2..<3, 4..<5])
  }

  @Test func aDescriptionEndsAfterItsFirstRanges() {
    #expect(KeyRanges([3..<4, 7..<12]).description == "3, 7..<12")
    #expect(
      KeyRanges((0..<9).map { $0 * 10..<$0 * 10 + 2 }).description
        == "0..<2, 10..<12, 20..<22, 30..<32, 40..<42 and 8 more")
  }
}
