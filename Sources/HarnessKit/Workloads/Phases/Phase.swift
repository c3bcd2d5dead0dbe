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
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(phases) else { preconditionFailure("phases are numbers and texts") }
    return String(decoding: data, as: UTF8.self)
  }

  /// The phases of a cell: those of its file, or one of the keys `duration_s`, `operations` and `think_ms`.
  ///
  /// A phase of the file that says nothing of them has the keys' values. Of `operations` a process does its part.
  package static func planned(
    _ settings: ScenarioSettings, name: String, defaultWeights: [String: Int], share: ProcessShare = .whole
  ) -> [Phase] {
    all(settings, name: name, defaultWeights: defaultWeights).map { phase in
      var phase = phase
      phase.operations = phase.operations.map { share.part(of: $0).count }
      return phase
    }
  }

  private static func all(
    _ settings: ScenarioSettings, name: String, defaultWeights: [String: Int]
  ) -> [Phase] {
    let duration = settings.optionalNumber("duration_s")
    let think = settings.optionalNumber("think_ms")
    guard let text = settings.values["phases"] else {
      return [
        Phase(
          name: name, weights: defaultWeights, durationSeconds: duration,
          operations: settings.optionalInteger("operations"), thinkMilliseconds: think)
      ]
    }
    guard let phases = try? JSONDecoder().decode([Phase].self, from: Data(text.utf8)) else {
      preconditionFailure("phases were validated when the scenario was read")
    }
    return phases.map { phase in
      var phase = phase
      if phase.durationSeconds == nil, phase.operations == nil { phase.durationSeconds = duration }
      phase.thinkMilliseconds = phase.thinkMilliseconds ?? think
      return phase
    }
  }
}
