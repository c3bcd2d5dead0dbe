import Foundation
import ManagedSources

/// The command line: `--module NAME --output FILE FILES … [--dependency NAME FILES …] …`
struct AccessorArguments {
  static let usage =
    "usage: coredata-accessors --module NAME --output FILE SOURCES … [--dependency NAME SOURCES …] …"

  /// A command line that cannot be understood.
  struct Wrong: Error {
    let message: String
  }

  private(set) var output = ""
  private var modules: [(name: String, files: [String])] = []

  init(_ arguments: [String]) throws(Wrong) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--module", "--dependency":
        guard let name = rest.popFirst(), (argument == "--module") == modules.isEmpty else {
          throw Wrong(message: "\(argument): one --module with its name first, then the dependencies with theirs")
        }
        modules.append((name, []))
      case "--output":
        guard let file = rest.popFirst() else { throw Wrong(message: "--output: give it the file to write") }
        output = file
      default:
        guard !modules.isEmpty else { throw Wrong(message: "\(argument): --module NAME comes first") }
        modules[modules.count - 1].files.append(argument)
      }
    }
    guard !modules.isEmpty, !output.isEmpty else { throw Wrong(message: "--module and --output are needed") }
  }

  func sources() throws -> ModuleSources { try read(modules[0]) }

  func dependencies() throws -> [ModuleSources] { try modules.dropFirst().map(read) }

  private func read(_ module: (name: String, files: [String])) throws -> ModuleSources {
    var sources = ModuleSources(module: module.name)
    for file in module.files {
      sources.add(SwiftSource(path: file, text: try String(contentsOfFile: file, encoding: .utf8)))
    }
    return sources
  }
}
