import Testing

@testable import Cells

struct OverlapTests {
  @Test func aReadBesideAnInsertEndsTheWaitOfEveryClient() {
    let overlap = Overlap(secondsMax: 60)
    overlap.insertBegins()
    overlap.mainReads()
    overlap.insertEnds()
    #expect(overlap.waitForMain())
  }

  @Test func aReadWhileNothingIsInsertedDoesNotCount() {
    let overlap = Overlap(secondsMax: 0)
    overlap.mainReads()
    overlap.insertBegins()
    overlap.insertEnds()
    overlap.mainReads()
    #expect(!overlap.waitForMain())
  }

  @Test @MainActor func mainDoesNotWaitForItself() {
    let overlap = Overlap(secondsMax: 60)
    overlap.insertBegins()
    #expect(!overlap.waitForMain())
  }
}
