import Boundary
import CProcess
import Foundation

/// The child's side of a process that simulates cells: its preparation before the first.
package enum SimulationProcess {
  /// Reads the request from standard input, ties this process to its parent and prepares it for simulations and for the
  /// deadline; before any other thread begins.
  ///
  /// - Parameter parent: process that started this one; nil when it is tried by hand.
  /// - Throws: `HarnessFailure` when the input is not a request.
  package static func begin(parent: Int32?) throws -> SimulationRequest {
    if let parent {
      let error = cprocess_die_with_parent(parent)
      guard error == 0 else { throw HarnessFailure("prctl(2): \(String(cString: strerror(error)))") }
    }
    let request: SimulationRequest
    do {
      request = try JSONDecoder().decode(
        SimulationRequest.self, from: FileHandle.standardInput.readDataToEndOfFile())
    } catch {
      throw HarnessFailure("standard input is not a request: \(error). This command is run by contextbench explore")
    }
    let error = cprocess_install_stack_dump(request.directory + "/" + CellFiles.stacks)
    guard error == 0 else { throw HarnessFailure("no handler for stacks: \(String(cString: strerror(error)))") }
    // One task runs at a time: on one processor the baton is handed over without waking another.
    cprocess_stay_on_processor(Int32(truncatingIfNeeded: request.first))
    SimulatedCell.prepareProcess()
    return request
  }
}
