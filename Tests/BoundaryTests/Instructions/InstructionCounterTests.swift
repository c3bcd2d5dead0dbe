import Testing

@testable import Boundary

struct InstructionCounterTests {
  @Test func theLastTotalCounts() {
    let text =
      "version: 1\ncreator: callgrind-3.19.0\npart: 1\nevents: Ir\nsummary: 479760564\n\nfn=(1)\n0 5\n\ntotals: 479760564\n"
    #expect(InstructionCounter.total(of: text) == 479_760_564)
  }

  @Test(arguments: ["", "events: Ir\nfn=(1)\n0 5\n", "totals: 0\n", "totals: many\n"])
  func aFileWithoutATotalCountsNothing(text: String) {
    #expect(InstructionCounter.total(of: text) == nil)
  }
}
