import Boundary
import CMemoryFiles
import CoreData
import Foundation
import SQLite
import Scenarios

/// The file of a cell's store before anything is in it. To make one takes longer than all that a small cell does with it, so
/// that it is made once, and every simulated cell begins with a copy: in memory, unless a fault is to end the process, of which
/// files are left.
package struct EmptyStore: Sendable {
  private let contents: Data
  private let isInMemory: Bool

  /// Makes it in a folder of its own below the request's.
  ///
  /// - Precondition: outside of a simulation, once a process.
  /// - Throws: the workload's error for the settings, or the container's for the file.
  package init(for request: CellRequest) throws {
    guard let workload = WorkloadRegistry.workload(named: request.workload) else {
      throw HarnessFailure("there is no workload \(request.workload)")
    }
    let folder = request.directory + "/empty"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let coordinator = try NotebookStore.open(
      in: folder, model: workload.schema(for: request.settings).model, request.settings,
      for: StrategyRegistry.strategy(named: request.key.strategy)
    ).persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    contents = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + CellFiles.store))
    isInMemory = !InjectedFault.wanted(request.settings).contains(where: \.isFatal)
    guard isInMemory else { return }
    let path = Self.path(in: request.directory)
    let code = cmemoryfiles_install(path)
    guard code == 0 else { throw HarnessFailure("SQLite takes no layer that has files in memory: error \(code)") }
    // Each process has connections of its own, and a schedule does not depend on what was kept before it.
    if !SimulatedFiles.areShared(by: request) { KeptDatabases.begin(path: path) }
  }

  /// Puts a copy where a session of the request's folder looks for its store.
  package func write(in directory: String) throws {
    guard isInMemory else { return try contents.write(to: URL(fileURLWithPath: Self.path(in: directory))) }
    switch contents.withUnsafeBytes({ cmemoryfiles_put($0.baseAddress, $0.count) }) {
    case 1: break
    case 0: KeptDatabases.removeAll()
    default: throw HarnessFailure("no memory for the store")
    }
  }

  private static func path(in directory: String) -> String { directory + "/" + CellFiles.store }
}
