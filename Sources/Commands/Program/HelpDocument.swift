import ArgumentParser
import Foundation

/// The contents of `--help`, as ArgumentParser gives them.
struct HelpDocument: Decodable {
  /// A command with its arguments.
  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool?
    var subcommands: [Command]?
    var arguments: [Argument]?

    /// Those that help lists.
    var shownSubcommands: [Command] {
      (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }
    var shownArguments: [Argument] { (arguments ?? []).filter { $0.shouldDisplay != false } }
  }

  /// An option, a flag or a positional argument.
  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
      /// `--name` or `-n`.
      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var shouldDisplay: Bool?
    var sectionTitle: String?
    var isOptional: Bool?
    var isRepeating: Bool?
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var abstract: String?
    var discussion: String?
  }

  var command: Command

  /// That of this executable.
  static func current() throws -> HelpDocument {
    try JSONDecoder().decode(HelpDocument.self, from: Data(ContextBench._dumpHelp().utf8))
  }
}
