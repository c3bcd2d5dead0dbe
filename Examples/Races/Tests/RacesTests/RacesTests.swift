import ContextTesting
import Foundation
import Races
import Testing

/// The careless form fails in some order, and the mended one in none.
@Suite(.serialized) struct RacesTests {
  /// The races; with CONTEXTBENCH_RACES those with a name that it finds, as a regular expression.
  static let races = Race.all.filter { race in
    let pattern = ProcessInfo.processInfo.environment["CONTEXTBENCH_RACES"].flatMap { try? Regex($0) }
    return pattern.map { race.name.firstMatch(of: $0) != nil } ?? true
  }

  /// - Parameter schedules: of a mended form, which takes all of them: CONTEXTBENCH_SCHEDULES=10000 is for a night.
  static func search(_ race: Race, _ care: Care, seed: UInt64, schedules: Int = 300) async throws {
    // Found anew each time: no order is kept.
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift").path
    let faults = race.fault.map { name in StackFault.allCases.filter { $0.rawValue == name } } ?? []
    try await explore(
      schedules: care == .mended ? schedules : 1_000, seconds: 600, seed: seed, faults: .errors.union(faults), file: path
    ) {
      try await race.body(temporaryStore(), care)
    }
  }

  @Test(arguments: races) func theCarelessFormIsFound(_ race: Race) async {
    for seed in 1...3 as ClosedRange<UInt64> {
      let order = await #expect(throws: FailingOrder.self, "\(race.name), seed \(seed)") {
        try await Self.search(race, .careless, seed: seed)
      }
      if let fault = race.fault {
        #expect(order?.description.hasPrefix(fault + ": ") == true, "\(race.name): \(order)")
      }
    }
  }

  @Test(arguments: races.filter(\.hasHidden)) func aMendThatOnlyHidesIsFound(_ race: Race) async {
    await #expect(throws: FailingOrder.self, "\(race.name)") { try await Self.search(race, .hidden, seed: 1) }
  }

  @Test(arguments: races) func theMendedFormIsSilent(_ race: Race) async throws {
    try await Self.search(race, .mended, seed: 1)
  }
}
