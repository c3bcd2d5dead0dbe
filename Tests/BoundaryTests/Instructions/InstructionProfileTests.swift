import Testing

@testable import Boundary

struct InstructionProfileTests {
  @Test func aFunctionHasItsOwnInstructionsAndNotThoseOfWhatItCalls() {
    let text = """
      version: 1
      positions: line
      events: Ir
      fl=(1) ???
      fn=(1) main
      0 10
      cfn=(2) work
      calls=2 0
      0 500
      0 5
      fn=(2)
      0 400
      +3 100
      fn=(3) main
      * 1

      totals: 516
      """
    #expect(InstructionProfile(text).instructions == ["main": 16, "work": 500])
  }

  @Test func theAllocatorsOwnInstructionsAreLeftOut() {
    let text = """
      ob=(1) /usr/bin/program
      fn=(1) main
      0 10
      fn=(3) work
      0 5
      cob=(2) /usr/lib/libjemalloc.so.2
      cfn=(2) malloc
      calls=2 0
      0 500
      0 1
      ob=(2)
      fn=(2)
      0 400
      fn=(4) 0x0000000000032e40
      0 700

      totals: 1116
      """
    #expect(InstructionProfile(text).instructions == ["main": 10, "work": 6] && InstructionProfile(text).total == 16)
  }
}
