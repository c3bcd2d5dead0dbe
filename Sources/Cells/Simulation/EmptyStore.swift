import Boundary
import CoreData
import Foundation

/// The file of a cell's store before anything is in it. To make one takes longer than all that a small cell does with it, so
/// that it is made once, and every simulated cell begins with a copy.
package struct EmptyStore: Sendable {
  private let contents: Data

  /// Makes it in a folder of its own below the request's.
  ///
  /// - Precondition: outside of a simulation.
  /// - Throws: what the workload says of the settings, or the container of the file.
  package init(for request: CellRequest) throws {
    guard let workload = WorkloadRegistry.workload(named: request.workload) else {
      throw HarnessFailure("there is no workload \(request.workload)")
    }
    let folder = request.directory + "/empty"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let coordinator = try NotebookStore.open(in: folder, model: workload.schema(for: request.settings).model)
      .persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    contents = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + CellFiles.store))
  }

  /// Puts a copy where a session of that folder looks for its store.
  package func write(in directory: String) throws {
    try contents.write(to: URL(fileURLWithPath: directory + "/" + CellFiles.store))
  }
}
