import Scheduling
import Testing

@testable import RowStore

@Suite struct PrefixOrderTests {
  /// Prefixes of one value, of a few, of low and high bytes, and any; as many as are compared and as are counted.
  @Test(arguments: [0, 1, 2, 255, 256, 3_000], 1...4 as ClosedRange<UInt64>)
  func theOrderIsThatOfComparisons(count: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let shift = [0, 8, 56][Int.random(in: 0..<3, using: &random)]
    for width in [1, 3, 300, .max] as [UInt64] {
      let prefixes = (0..<count).map { _ in UInt64.random(in: 0..<width, using: &random) << UInt64(shift) }
      var places = ContiguousArray(prefixes.enumerated().map { PrefixOrder.Place(prefix: $1, index: $0) })
      // The comparison has an order of its own.
      let ranks = (0..<count).shuffled(using: &random)
      let expected = places.sorted { ($0.prefix, ranks[$0.index]) < ($1.prefix, ranks[$1.index]) }
      let isMoved = PrefixOrder.sort(&places) { ranks[$0.index] < ranks[$1.index] }
      #expect(places.map(\.index) == expected.map(\.index))
      #expect(isMoved == (places.map(\.index) != Array(0..<count)))
      #expect(!PrefixOrder.sort(&places) { ranks[$0.index] < ranks[$1.index] })
    }
  }
}
