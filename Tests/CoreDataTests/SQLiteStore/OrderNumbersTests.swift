import Testing

@testable import CoreData
@testable import RowStore

@Suite struct OrderNumbersTests {
  // S6.4
  @Test func newMembersGetSteps() {
    #expect(OrderNumbers.assign([]) == [])
    #expect(OrderNumbers.assign([nil, nil, nil]) == [2048, 3072, 4096])
    #expect(OrderNumbers.assign([2048, 4096, nil, nil]) == [2048, 4096, 5120, 6144])
  }

  // S6.4
  @Test func oneBetweenTwoGetsTheMiddle() {
    #expect(OrderNumbers.assign([2048, nil, 3072]) == [2048, 2560, 3072])
    #expect(OrderNumbers.assign([nil, 2048]) == [1024, 2048])
    #expect(OrderNumbers.assign([2048, nil, nil, nil, 3072]) == [2048, 2304, 2560, 2816, 3072])
  }

  // S6.4
  @Test func withoutRoomThoseBehindAreNumberedAnew() {
    #expect(OrderNumbers.assign([7, nil, 8]) == [7, 1031, 2055])
    #expect(OrderNumbers.assign([7, nil, 8, 1032, 2048]) == [7, 348, 690, 1032, 2048])
    #expect(OrderNumbers.assign([nil, 1]) == [2048, 3072])
    #expect(OrderNumbers.assign([nil, 1, 2048]) == [682, 1365, 2048])
    #expect(OrderNumbers.assign([Int64.max, nil]) == [2048, 3072])
  }

  // S6.4: where 10,000 stand and 1,000 come to one place, each costs a few numbers and not all.
  @Test(arguments: [0, 1, 5_000]) func aMemberCostsFewNumbers(place: Int) {
    var numbers: [Int64] = OrderNumbers.assign([Int64?](repeating: nil, count: 10_000))
    var changed = 0
    for _ in 0..<1_000 {
      var wanted: [Int64?] = numbers
      wanted.insert(nil, at: place)
      numbers = OrderNumbers.assign(wanted)
      changed += zip(wanted, numbers).count { $0 != $1 }
    }
    #expect(changed < 20_000)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
  }

  // S6.4
  @Test func aMoveChangesOneNumber() {
    #expect(OrderNumbers.assign([3072, 4096, 5120, 2048]) == [3072, 4096, 5120, 6144])
    #expect(OrderNumbers.assign([5120, 2048, 3072, 4096]) == [1024, 2048, 3072, 4096])
    #expect(OrderNumbers.assign([2048, 5120, 3072, 4096]) == [2048, 2560, 3072, 4096])
  }

  /// Every list of up to five numbers, or none, out of a few: the result always rises, and keeps as many as can be kept where
  /// there is room.
  @Test(arguments: [[nil, 1, 2, 3, 1000, 1002], [nil, 1000, 2000, 3000, 4000, 5000]] as [[Int64?]])
  func theResultRisesAndKeepsWhatItCan(candidates: [Int64?]) {
    var lists: [[Int64?]] = [[]]
    for _ in 0..<5 {
      lists = lists.flatMap { list in candidates.map { list + [$0] } }
      for list in lists {
        let numbers = OrderNumbers.assign(list)
        #expect(numbers.count == list.count)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(list) → \(numbers)")
        let kept = zip(list, numbers).count { $0 == $1 }
        if candidates[1] == 1000 { #expect(kept == longestRise(list), "\(list) → \(numbers)") }
      }
    }
  }

  /// By trying every choice.
  private func longestRise(_ list: [Int64?]) -> Int {
    (0..<(1 << list.count)).map { choice in
      let chosen = list.indices.filter { choice & (1 << $0) != 0 }.map { list[$0] }
      let numbers = chosen.compactMap { $0 }
      let rises = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
      return numbers.count == chosen.count && rises ? numbers.count : 0
    }.max() ?? 0
  }
}
