import Foundation

/// A stretch of a workload: which operations are drawn how often, and until when.
package struct Phase: Codable, Sendable, Hashable {
  /// Names it in messages and in the phase column of timings.csv.
  package var name: String
  /// How often each operation is drawn, in relation to the others.
  package var weights: [String: Int]
  /// The phase ends after so many seconds; nil = no such limit.
  package var durationSeconds: Double?
  /// The phase ends after so many operations of all clients together; nil = no such limit.
  package var operations: Int?
  /// Mean time that a client waits between two operations; nil = none.
  package var thinkMilliseconds: Double?

  package init(
    name: String, weights: [String: Int], durationSeconds: Double? = nil, operations: Int? = nil,
    thinkMilliseconds: Double? = nil
  ) {
    self.name = name
    self.weights = weights
    self.durationSeconds = durationSeconds
    self.operations = operations
    self.thinkMilliseconds = thinkMilliseconds
  }

  /// The phases as the settings carry them.
  package static func encoded(_ phases: [Phase]) -> String {
    precondition(phases.allSatisfy { $0.weights.values.contains { $0 > 0 } }, "each phase draws some operation")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(phases) else { preconditionFailure("phases are numbers and texts") }
    return String(decoding: data, as: UTF8.self)
  }
}
