import Foundation
import Reporting
import Scenarios
import Scheduling

/// The executable that the commands belong to: `contextbench`, or one with strategies and workloads of its own.
package struct Program: Sendable {
  /// Version of the commands.
  static let version = "0.1.0"

  static let running = Locked<Program?>(nil)

  /// The program that runs; known once ``run()`` was called.
  static var current: Program { running.withLock { $0 } ?? Program(allocator: "system") }

  /// Its name in texts, and in commands that reproduce violations.
  let name: String
  /// Its allocator, for the manifest.
  let allocator: String

  /// Describes an executable.
  ///
  /// - Parameter name: nil = the name of its file.
  package init(name: String? = nil, allocator: String) {
    precondition(name?.isEmpty != true && !allocator.isEmpty, "a program has a name and an allocator")
    self.name = name ?? URL(fileURLWithPath: Executable.path).lastPathComponent
    self.allocator = allocator
  }
}
