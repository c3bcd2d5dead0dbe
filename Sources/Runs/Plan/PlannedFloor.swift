import Scenarios

/// One run of the floor, for the cells of its block that write the same rows in the same commits.
package struct PlannedFloor: Sendable {
  /// The keys that decide what the floor does.
  package static let keys = ["notes", "words_per_note", "importers", "save_every"]

  /// Every scalar key with its value.
  package var settings: ScenarioSettings
  /// Seed of the data.
  package var seed: UInt64

  /// What tells this floor from another of the same block.
  package var identity: [String?] { Self.identity(settings) }

  /// The identity of the floor that belongs to these settings.
  package static func identity(_ settings: ScenarioSettings) -> [String?] { keys.map { settings.values[$0] } }
}
