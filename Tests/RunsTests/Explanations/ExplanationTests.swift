import Checking
import Foundation
import Scenarios
import Testing

@testable import Runs

struct ExplanationTests {
  @Test(arguments: ViolationKind.allCases) func everyKindHasCauseRemedyCodeAndSources(kind: ViolationKind) {
    let explanation = kind.explanation
    #expect(explanation.cause.count > 60 && explanation.cause.hasSuffix("."))
    #expect(explanation.remedy.count > 30 && explanation.remedy.hasSuffix("."))
    #expect(!explanation.code.isEmpty && !explanation.sources.isEmpty)
    for source in explanation.sources {
      #expect(!source.title.isEmpty)
      #expect(URL(string: source.address)?.scheme == "https", "\(source.address)")
    }
    let text = Explanation.text(of: kind)
    #expect(text.hasPrefix("\(kind.rawValue): \(kind.meaning)\n"))
    for line in text.split(separator: "\n") where !line.contains("https://") { #expect(line.count <= 130, "\(line)") }
  }

  /// The error of a save that nobody sees is the usual cause of a lost record.
  @Test(arguments: ViolationKind.allCases) func noRemedySwallowsTheErrorOfASave(kind: ViolationKind) {
    for line in kind.explanation.code.split(separator: "\n") {
      #expect(!(line.contains("try?") && line.contains("save()")), "\(line)")
    }
  }

  @Test func noTwoKindsHaveTheSameExplanation() {
    #expect(Set(ViolationKind.allCases.map(\.explanation.cause)).count == ViolationKind.allCases.count)
    #expect(Set(ViolationKind.allCases.map(\.explanation.remedy)).count == ViolationKind.allCases.count)
  }

  @Test func aSlipOfTheKeyboardFindsTheKind() throws {
    #expect(try Explaining.text(ofKindNamed: "stale-read").get().contains("automaticallyMergesChangesFromParent"))
    let problem = #expect(throws: ScenarioProblem.self) { try Explaining.text(ofKindNamed: "stale-raed").get() }
    #expect(problem?.description == "explain: stale-raed: is no kind of violation. Did you mean stale-read?")
    let unknown = #expect(throws: ScenarioProblem.self) { try Explaining.text(ofKindNamed: "zebra").get() }
    #expect(unknown?.description.contains("Known: context-off-queue, ") == true)
  }
}
