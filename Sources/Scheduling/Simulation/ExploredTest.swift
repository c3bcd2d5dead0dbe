/// Messages between `contextbench test` and the process that explores a test for it.
package enum ExploredTest {
  /// The variable that has the name of the test, as the test runner lists it: `Module.Suite/name()`.
  package static let testVariable = "CONTEXTBENCH_TEST"
  /// The variable that says how many cases run together, where they do; 0 where each only prints ``caseLine``.
  package static let casesVariable = "CONTEXTBENCH_CASES"
  package static let caseLine = "contextbench: a case"
  private static let ending = " together"
  private static let joint = " + "
  /// The variable that has the folder of the files below.
  package static let folderVariable = "CONTEXTBENCH_TEST_FOLDER"
  /// A line of JSON for the test, or for each case of it that was explored.
  package static let resultsFile = "results.jsonl"
  /// The number of the schedule that runs, for the parent of a process that ended within it.
  package static let progressFile = "schedule"

  /// The name of some tests, or of a suite's, that run together.
  package static func together(_ names: [String]) -> String { names.joined(separator: joint) + ending }

  /// The tests or the suite of such a name; of any other name nil.
  package static func parts(of name: String) -> [String]? {
    name.hasSuffix(ending) ? name.dropLast(ending.count).split(separator: joint).map(String.init) : nil
  }

  package enum Verdict: String, Codable, Sendable {
    case passed
    case fails
    case notSimulated = "not simulated"
  }

  /// How the orders of a test ended, or of one of its cases.
  package struct Result: Codable, Sendable {
    package var verdict: Verdict
    /// How many orders were tried, each another one, and in how many the test failed.
    package var orders = 0
    package var failing = 0
    /// Whether these are all orders that there are.
    package var isExhausted = false
    /// The order in which the test fails, or why it cannot be explored.
    package var text = ""

    package init(_ verdict: Verdict, _ text: String = "") {
      self.verdict = verdict
      self.text = text
    }
  }
}
