import Testing

@testable import Cells

struct MergeRoundTests {
  @Test func roundsGoThroughEveryKindOfConflict() {
    let rounds = (0..<5).map { MergeRound($0, clients: 3, deletes: true).parts }
    #expect(
      rounds == [
        [.set([0]), .set([0]), .set([0])],
        [.set([0]), .set([1]), .set([2])],
        [.set([0, 1]), .set([1, 2]), .set([2, 3])],
        [.set([0, 1]), .set([1, 2]), .delete],
        [.delete, .set([1, 2]), .set([2, 3])],
      ])
    #expect(MergeRound(5, clients: 3, deletes: true) == MergeRound(0, clients: 3, deletes: true))
  }

  @Test func withoutDeletesThreeKindsAreLeft() {
    for number in 0..<6 { #expect(!MergeRound(number, clients: 3, deletes: false).parts.contains(.delete)) }
  }
}
