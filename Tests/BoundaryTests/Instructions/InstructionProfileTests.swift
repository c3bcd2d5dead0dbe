import Testing

@testable import Boundary

struct InstructionProfileTests {
  private func functions(of profile: InstructionProfile) -> [String: Int] {
    profile.instructions.reduce(into: [:]) { $0[$1.key.function, default: 0] += $1.value }
  }

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
    #expect(functions(of: InstructionProfile(text)) == ["main": 16, "work": 500])
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
    let profile = InstructionProfile(text)
    #expect(functions(of: profile) == ["main": 10, "work": 6] && profile.total == 16)
  }

  /// As `--dump-instr=yes --dump-line=no` has it.
  @Test func aPlaceInTheExecutableHasItsAddressAndALibraryHasNone() {
    let text = """
      positions: instr
      events: Ir
      ob=(1) /tmp/copies/0
      fn=(1) main
      0x6e0 1
      +2 3
      cob=(2) /lib/libc.so.6
      cfn=(2) strlen
      calls=1 0x156200
      * 13
      +5 2
      -7 4
      ob=(2)
      fn=(2)
      0x156200 6
      +4 7
      ob=(1)
      fn=(3) work
      0x700 5

      totals: 28
      """
    let profile = InstructionProfile(text)
    let main = profile.instructions.filter { $0.key.function == "main" }
    #expect(
      Dictionary(uniqueKeysWithValues: main.map { ($0.key.address, $0.value) }) == [0x6E0: 5, 0x6E2: 3, 0x6E7: 2])
    #expect(profile.instructions[.init(function: "strlen", address: 0)] == 13)
    #expect(profile.instructions[.init(function: "work", address: 0x700)] == 5 && profile.total == 28)
  }
}
