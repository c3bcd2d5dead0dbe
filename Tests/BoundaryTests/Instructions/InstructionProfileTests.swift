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
}
