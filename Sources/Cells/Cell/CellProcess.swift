import Boundary
import CProcess
import Foundation

/// The child's side of a cell's process: its preparation before it runs the cell.
package enum CellProcess {
  /// Reads the request from standard input, ties this process to its parent and prepares it for the deadline.
  ///
  /// - Parameter parent: process that started this one; nil when a cell is tried by hand.
  /// - Throws: `HarnessFailure` when the input is not a request.
  package static func begin(parent: Int32?) throws(HarnessFailure) -> CellRequest {
    if let parent {
      let error = cprocess_die_with_parent(parent)
      guard error == 0 else { throw HarnessFailure("prctl(2): \(String(cString: strerror(error)))") }
    }
    let request: CellRequest
    do {
      request = try JSONDecoder().decode(CellRequest.self, from: FileHandle.standardInput.readDataToEndOfFile())
    } catch {
      throw HarnessFailure("standard input is not a cell's request: \(error). This command is run by contextbench run")
    }
    let error = cprocess_install_stack_dump(request.directory + "/" + CellFiles.stacks)
    guard error == 0 else { throw HarnessFailure("no handler for stacks: \(String(cString: strerror(error)))") }
    return request
  }
}
