import Foundation
import ManagedSources

/// The command line: `--module NAME --output FILE [--classes FILE] [--model MODEL FOLDER] … SOURCES …
/// [--dependency NAME SOURCES …] …`
struct AccessorArguments {
  static let usage = """
    usage: coredata-accessors --module NAME --output FILE [--classes FILE] [--model MODEL FOLDER] … SOURCES … \
    [--dependency NAME SOURCES …] …
    """

  /// A command line that cannot be understood.
  struct Wrong: Error {
    let message: String
  }

  private(set) var output = ""
  /// Where the classes of models go; nil for a target without models.
  private(set) var classes: String?
  /// Each model with the folder that is made of it.
  private(set) var models: [(path: String, folder: String)] = []
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
      case "--classes":
        guard let file = rest.popFirst() else { throw Wrong(message: "--classes: give it the file to write") }
        classes = file
      case "--model":
        guard let path = rest.popFirst(), let folder = rest.popFirst() else {
          throw Wrong(message: "--model: give it a model and the folder to write")
        }
        models.append((path, folder))
      default:
        guard !modules.isEmpty else { throw Wrong(message: "\(argument): --module NAME comes first") }
        modules[modules.count - 1].files.append(argument)
      }
    }
    guard !modules.isEmpty, !output.isEmpty else { throw Wrong(message: "--module and --output are needed") }
  }

  /// The module's sources, with the classes of its models.
  func sources(classes text: String?) throws -> ModuleSources {
    var sources = try read(modules[0])
    if let classes, let text { sources.add(SwiftSource(path: classes, text: text)) }
    return sources
  }

  func dependencies() throws -> [ModuleSources] { try modules.dropFirst().map(read) }

  private func read(_ module: (name: String, files: [String])) throws -> ModuleSources {
    var sources = ModuleSources(module: module.name)
    for file in module.files {
      sources.add(SwiftSource(path: file, text: try String(contentsOfFile: file, encoding: .utf8)))
    }
    return sources
  }
}
