import ArgumentParser
import Foundation

/// `coredata`: models, stores and model classes of programs that use the stack.
@main
struct CoreDataTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata", abstract: "Prints Core Data models and stores; ports model classes to Linux.",
    discussion: """
      EXAMPLES
        coredata model Notes.xcdatamodeld
            What a model says: entities, attributes, relationships, rules.
        coredata store Notes.sqlite --model Notes.xcdatamodeld
            What is in a store, and whether it fits the model.
        coredata port Sources/Model --write
            Makes the edits that model classes from Xcode need.
      """,
    subcommands: [ModelCommand.self, StoreCommand.self, PortCommand.self])

  /// The input was read, and something in it has to be mended by hand.
  static let incomplete = ExitCode(2)
  /// A file could not be written.
  static let unwritable = ExitCode(6)
  /// There is nothing to read, or it cannot be read.
  static let wrongInput = ExitCode(64)

  /// Writes a message where it does not mix with results.
  static func complain(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }
}
