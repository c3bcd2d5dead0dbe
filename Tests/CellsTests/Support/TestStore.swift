import Boundary
import CoreData
import Scenarios

@testable import Cells

/// A store in a folder of its own, removed with this.
///
/// Tests do not run on the main thread, so they use only code without a main queue.
final class TestStore {
  let directory: String

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("cell-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  var path: String { directory + "/" + CellFiles.store }

  /// The environment of a strategy; `options` override the defaults.
  func makeEnvironment(
    _ options: [String: String] = [:], model: NSManagedObjectModel = NotebookModel.shared,
    for strategy: (any Strategy.Type)? = nil
  ) throws -> StrategyEnvironment {
    let defaults = ["merge_policy": "error", "merge": "none", "root_save": "each", "reset_after_save": "true"]
    let settings = ScenarioSettings(defaults.merging(options) { _, option in option })
    return StrategyEnvironment(
      container: try NotebookStore.open(in: directory, model: model, settings, for: strategy), settings: settings,
      meter: MainThreadMeter())
  }
}
