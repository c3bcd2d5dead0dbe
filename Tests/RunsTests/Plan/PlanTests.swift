import Checking
import Reporting
import ScenarioSamples
import Testing

@testable import Runs

@Suite struct PlanTests {
  @Test func everyVariantRunsOnceInEachRepetition() throws {
    let plan = Plan([try readScenario(minimal + "repetitions: 5\noptions: {parent-child: {save_every: [10, 20]}}\n")])
    #expect(plan.blocks.count == 5)
    for block in plan.blocks { #expect(Set(block.cells.map(\.variant)).count == 3) }
    #expect(plan.cells.map(\.number) == Array(0..<15))
  }

  @Test func pairsAreTheSameTwiceInRandomOrder() throws {
    let plan = Plan([try readScenario(minimal + "repetitions: 20\naa: true\n")])
    for block in plan.blocks {
      #expect(Set(block.cells.map { "\($0.variant.strategy) \($0.arm?.rawValue ?? "")" }).count == 4)
      #expect(Set(block.cells.map(\.seed)).count == 1)
    }
    #expect(plan.cells.map(\.number) == Array(0..<80))
    #expect(Set(plan.blocks.map { $0.cells.first?.arm }) == [.a, .b])
    #expect(try Plan([readScenario(minimal)]).cells.allSatisfy { $0.arm == nil })
  }

  @Test func eitherArmIsFirstAsOften() throws {
    var plan = Plan([try readScenario(minimal + "repetitions: 20\naa: true\nwarmup: 2\n")])
    plan.blocks.removeFirst(2)
    var firsts: [String: [Arm?]] = [:]
    for block in plan.blocks {
      for start in stride(from: 0, to: block.cells.count, by: 2) {
        let pair = block.cells[start..<start + 2]
        #expect(Set(pair.map(\.variant)).count == 1, "the cells of a pair run one after the other")
        firsts[pair[start].variant.strategy, default: []].append(pair[start].arm)
      }
    }
    for arms in firsts.values {
      #expect(arms.count { $0 == .a } == 10)
      #expect(arms != Array(repeating: [.a, .b], count: 10).flatMap(\.self), "which is first is drawn")
      for start in stride(from: 0, to: 20, by: 2) { #expect(arms[start] != arms[start + 1]) }
    }
  }

  @Test func repetitionsHaveTheNextSeedOrTheSame() throws {
    func seeds(_ text: String) throws -> [UInt64] {
      Plan([try readScenario(minimal + text)]).blocks.compactMap(\.cells.first?.seed)
    }
    #expect(try seeds("repetitions: 3\nseed: 7\n") == [7, 8, 9])
    #expect(try seeds("repetitions: 3\nseed: 7\nseed_step: 0\n") == [7, 7, 7])
  }

  @Test func seedsStayWithin63Bits() throws {
    let plan = Plan([try readScenario(minimal + "repetitions: 2\nseed: \(Int.max)\n")])
    #expect(plan.cells.allSatisfy { $0.seed <= UInt64(Int64.max) })
  }

  @Test func theOrderOfStrategiesIsDrawnAndTheSameForTheSameSeed() throws {
    func orders(seed: Int) throws -> [[String]] {
      Plan([try readScenario(minimal + "repetitions: 20\nseed: \(seed)\n")]).blocks.map {
        $0.cells.map(\.variant.strategy)
      }
    }
    #expect(try Set(orders(seed: 1)).count == 2)
    #expect(try orders(seed: 1) == orders(seed: 1))
    #expect(try orders(seed: 1) != orders(seed: 1000))
  }

  @Test func aBlockHasOneFloorForEachWayToCommit() throws {
    let text = minimal + "repetitions: 2\noptions: {parent-child: {save_every: [10, 20]}}\n"
    #expect(Plan([try readScenario(text)]).blocks.allSatisfy(\.floors.isEmpty))
    let blocks = Plan([try readScenario(text + "floor: true\n")]).blocks
    // 10 and 20 of parent-child, 500 of main-only.
    #expect(blocks.map(\.floors.count) == [3, 3])
    for block in blocks {
      let identities = block.floors.map(\.identity)
      #expect(block.cells.allSatisfy { identities.contains(PlannedFloor.identity($0.settings)) })
    }
  }

  @Test func warmUpCellsComeFirstAndAreMarked() throws {
    let plan = Plan([try readScenario(minimal + "repetitions: 1\nwarmup: 2\n")])
    #expect(plan.blocks.map { $0.cells[0].repetition } == [-2, -1, 0])
    #expect(plan.cells.map(\.isWarmup) == [true, true, true, true, false, false])
  }

  @Test(arguments: 1...4) func shardsShareThePlanOut(count: Int) throws {
    let plan = Plan([try readScenario(minimal + "repetitions: 5\n")])
    let parts = try (1...count).map { plan.part(try #require(Shard("\($0)/\(count)"))) }
    #expect(parts.flatMap(\.cells).map(\.number).sorted() == plan.cells.map(\.number))
  }

  @Test(arguments: 1...5) func everyShardWarmsUpForWhatItRepeats(count: Int) throws {
    let plan = Plan([try readScenario(minimal + "repetitions: 5\nwarmup: 2\n")])
    let parts = try (1...count).map { plan.part(try #require(Shard("\($0)/\(count)"))) }
    for part in parts {
      #expect(part.blocks.map { $0.cells[0].repetition }.prefix(3).dropLast() == [-2, -1])
      #expect(part.blocks.count > 2)
    }
    let measured = parts.flatMap(\.cells).filter { !$0.isWarmup }.map(\.number)
    #expect(measured.sorted() == plan.cells.filter { !$0.isWarmup }.map(\.number))
  }

  @Test(arguments: ["0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "", "/", "1/\(Int.max)"])
  func aWrongShardIsRefused(text: String) {
    #expect(Shard(text) == nil)
  }

  @Test func theKeyNamesOptionsButNotTheMergePolicy() throws {
    let cell = try #require(Plan([try readScenario(minimal + "merge_policy: overwrite\n")]).cells.first)
    let key = cell.key(run: "r")
    #expect(key.mergePolicy == "overwrite")
    #expect(key.options.contains("importers=4"))
    #expect(!key.options.contains("merge_policy"))
  }
}
