import Boundary
import Foundation
import Scenarios

extension Phase {
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
    let duration = settings[Keys.durationSeconds]
    let think = settings[Keys.thinkMilliseconds]
    guard let text = settings.values["phases"] else {
      return [
        Phase(
          name: name, weights: defaultWeights, durationSeconds: duration,
          operations: settings[Keys.operations], thinkMilliseconds: think)
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
