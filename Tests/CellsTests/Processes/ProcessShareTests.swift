import Boundary
import Scenarios
import Testing

@testable import Cells

@Suite struct ProcessShareTests {
  @Test(arguments: [1, 2, 3, 5, 16]) func thePartsOfAllProcessesAreEverythingOnce(count: Int) {
    for total in 0..<40 {
      let parts = (0..<count).map { ProcessShare(index: $0, count: count).part(of: total) }
      #expect(parts.flatMap(Array.init) == Array(0..<total))
      let sizes = parts.map(\.count)
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
  }

  @Test func noTwoProcessesGiveTheSameNumber() {
    let numbers = (0..<3).flatMap { index in (0..<10).map { ProcessShare(index: index, count: 3).number($0) } }
    #expect(Set(numbers) == Set(0..<30))
    #expect((0..<3).map { ProcessShare(index: $0, count: 3).number(0) } == [0, 1, 2])
  }

  @Test func noTwoProcessesOfASoakGiveTheSameNumberToANoteOrWord() {
    let settings = ScenarioSettings(["notes": "30", "key_distribution": "uniform"])
    let supplies = (0..<3).map { SoakSupply(settings, ProcessShare(index: $0, count: 3)) }
    #expect(supplies.map(\.livingMax) == [10, 10, 10])
    let notes = supplies.flatMap { supply in (0..<5).map { _ in supply.nextNote() } }
    #expect(Set(notes) == Set(1...15))
    #expect(supplies.map(\.lastNote) == [13, 14, 15])
    let words = supplies.flatMap { supply in (0..<5).flatMap { _ in Array(supply.nextWords(3)) } }
    #expect(Set(words).count == 45)
  }

  @Test func aSoaksOperationsAreSharedOut() {
    let settings = ScenarioSettings(["operations": "10"])
    let parts = (0..<3).map { index in
      Phase.planned(settings, name: "soak", defaultWeights: [:], share: ProcessShare(index: index, count: 3))
        .map(\.operations)
    }
    #expect(parts == [[3], [3], [4]])
  }
}
