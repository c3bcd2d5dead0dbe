import Boundary
import Reporting
import Testing

@testable import Runs

struct GateComparisonTests {
  private static let surroundings = GateSurroundings(
    sqlite: "3.40.1", compiler: "Swift 6.3.1", system: "a system", processor: "x86_64", build: "release",
    counter: "valgrind 3.19.0")

  private static func result(
    _ surroundings: GateSurroundings = Self.surroundings, costs: [CellCost: Int] = [.statements: 40, .syncs: 2],
    instructions: Int? = 1_000_000, functions: [String: Int] = ["work": 600_000, "rest": 400_000],
    cell: String = "import main-only"
  ) -> GateRunner.Result {
    var result = GateRunner.Result(baseline: GateBaseline(surroundings: surroundings, cells: [:], seconds: 1))
    result.baseline.cells[cell] = GateBaseline.Cell(objects: 20, costs: costs, instructions: instructions)
    result.functions.cells[cell] = functions
    result.profiles[cell] = InstructionProfile(functions.map { "fn=\($0.key)\n0 \($0.value)" }.joined(separator: "\n"))
    return result
  }

  private func compare(_ new: GateRunner.Result, with old: GateRunner.Result = Self.result()) -> GateComparison {
    GateComparison(old.baseline, old.functions, with: new)
  }

  private func text(_ comparison: GateComparison) -> [String] {
    comparison.text(program: "contextbench", all: false).split(separator: "\n").map(String.init)
  }

  @Test func equalNumbersPass() {
    let comparison = compare(Self.result())
    #expect(comparison.status(isStrict: true) == .passed)
    #expect(text(comparison).first == "costs as the baseline (1 cell, instructions of 1)")
  }

  @Test func oneMoreOfACostFails() {
    let comparison = compare(Self.result(costs: [.statements: 41, .syncs: 2]))
    #expect(comparison.status(isStrict: false) == .regression)
    #expect(text(comparison)[1] == "statements: import main-only 40 → 41 (+1, +2.5 %; 0.0500 an object)")
  }

  @Test func aCostThatWasNothingIsNamed() {
    let comparison = compare(Self.result(costs: [.statements: 40, .syncs: 2, .faults: 5]))
    #expect(comparison.status(isStrict: false) == .regression)
    #expect(text(comparison)[1] == "faults fired: import main-only 0 → 5 (+5; 0.250 an object)")
  }

  @Test func lessOfACostPassesAndIsNamed() {
    let comparison = compare(Self.result(costs: [.statements: 38, .syncs: 2]))
    #expect(comparison.status(isStrict: true) == .passed)
    #expect(text(comparison)[1].hasPrefix("statements: import main-only 40 → 38 (-2, -5.0 %"))
  }

  @Test(arguments: [(1_005_000, Int32(0)), (1_015_000, 3), (985_000, 0)])
  func oneInAHundredInstructionsCounts(instructions: Int, status: Int32) {
    #expect(compare(Self.result(instructions: instructions)).status(isStrict: false).rawValue == status)
  }

  @Test(arguments: [(10_100, Int32(0)), (10_101, 3)])
  func aHundredthOfTheAllocationsIsTheSame(allocations: Int, status: Int32) {
    let old = Self.result(costs: [.allocations: 10_000])
    let comparison = compare(Self.result(costs: [.allocations: allocations]), with: old)
    #expect(comparison.status(isStrict: true).rawValue == status)
  }

  @Test func ofCellsThatSeemToCostMoreTheLeastOfSeveralRunsCounts() {
    let old = Self.result(costs: [.statements: 40, .allocations: 10_000])
    var new = Self.result(
      costs: [.statements: 40, .allocations: 10_200], instructions: 1_020_000, functions: ["work": 620_000])
    #expect(compare(new, with: old).cellsWithInexactIncreases == ["import main-only"])
    new.keepLeast(Self.result(costs: [.statements: 39, .allocations: 10_300], instructions: 1_030_000))
    new.keepLeast(Self.result(costs: [.statements: 39, .allocations: 10_001], cell: "import other"))
    #expect(compare(new, with: old).isWorse && new.baseline.cells.count == 1)
    #expect(new.profiles["import main-only"]?.total == 620_000)
    new.keepLeast(Self.result(costs: [.statements: 39, .allocations: 10_001], instructions: 1_001_000))
    #expect(
      compare(new, with: old).status(isStrict: true) == .passed
        && compare(new, with: old).cellsWithInexactIncreases.isEmpty)
    let cell = new.baseline.cells["import main-only"]
    #expect(cell?.costs == [.statements: 40, .allocations: 10_001] && cell?.instructions == 1_001_000)
    #expect(new.profiles["import main-only"]?.total == 1_000_000)
  }

  @Test func theFunctionThatWasAddedToIsInTheFirstThreeLines() {
    let new = Self.result(instructions: 1_020_000, functions: ["work": 618_000, "rest": 402_000])
    let lines = text(compare(new))
    #expect(lines[1].hasPrefix("instructions: import main-only 1,000,000 → 1,020,000 (+20,000, +2.0 %"))
    #expect(lines[2] == "  added most by work (90 %), rest (10 %)")
  }

  @Test(arguments: [(false, false, true), (true, false, false), (false, true, false), (true, nil, false)])
  func whereInlinedFunctionsCannotBeNamedTheGateSaysSo(old: Bool, new: Bool?, isNamed: Bool) {
    var (base, result) = (Self.result(), Self.result(instructions: 1_020_000, functions: ["work": 620_000]))
    (base.functions.hasInlined, result.functions.hasInlined) = (old, new ?? true)
    if new == nil { base.functions.cells = [:] }
    let lines = text(compare(result, with: base))
    #expect(lines.contains("cannot tell: inlined functions: the baseline names none, or a build has no line tables"))
    #expect(lines.contains("  added most by work (100 %)") == isNamed)
  }

  @Test func whatCannotBeComparedIsALineAndStrictlyNoSuccess() {
    var other = Self.surroundings
    other.compiler = "Swift 7"
    let comparison = compare(Self.result(other, instructions: 2_000_000))
    #expect(comparison.status(isStrict: false) == .passed && comparison.status(isStrict: true) == .inconclusive)
    #expect(text(comparison).contains("cannot tell: instructions: the compiler was Swift 6.3.1 and is Swift 7"))
    let allocating = compare(Self.result(other, costs: [.statements: 40, .syncs: 2, .allocations: 9]))
    #expect(allocating.status(isStrict: false) == .passed)
    #expect(text(allocating).contains("cannot tell: allocations: the compiler was Swift 6.3.1 and is Swift 7"))
    #expect(compare(Self.result(costs: [.statements: 40, .syncs: 2, .allocations: 9])).isWorse)
    other.sqlite = "3.50.0"
    let file = compare(Self.result(other, costs: [.statements: 99, .syncs: 2]))
    #expect(file.status(isStrict: false) == .passed)
    #expect(compare(Self.result(other, costs: [.statements: 40, .mainHops: 1])).status(isStrict: false) == .regression)
  }

  @Test func aCellThatIsGoneIsMissingAndOneThatBrokeIsAViolation() {
    let gone = compare(Self.result(cell: "import other"))
    #expect(gone.status(isStrict: false) == .baselineMissing)
    var broken = GateRunner.Result(baseline: GateBaseline(surroundings: Self.surroundings, cells: [:], seconds: 1))
    broken.failures["import main-only"] = "exited with 70"
    let comparison = compare(broken)
    #expect(comparison.status(isStrict: false) == .violation)
    #expect(text(comparison).contains("import main-only: exited with 70"))
  }

  @Test func aNewCellIsOnlyStrictlyNoSuccess() {
    var new = Self.result()
    new.baseline.cells["import new"] = GateBaseline.Cell(objects: 1, costs: [.syncs: 1])
    #expect(compare(new).status(isStrict: false) == .passed && compare(new).status(isStrict: true) == .inconclusive)
  }
}
