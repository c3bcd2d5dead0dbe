import ArgumentParser

/// `coredata model`: prints a model file.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", abstract: "Print what a Core Data model file says.",
    discussion: """
      Reads an .xcdatamodeld, an .xcdatamodel or the XML in it, or a compiled .momd or .mom, and prints versions, \
      entities with their inheritance, \
      attributes with types, defaults and rules, relationships with inverses and delete rules, constraints, indexes, \
      configurations and fetch request templates. What was left out, and what keeps the stack from using the model, goes \
      to standard error.

      Ends with 0 when the model can be used, with 2 when it can be read but not used, with 64 when it cannot be read: \
      every problem as file:line: what is wrong.
      """)

  @Argument(help: "The .xcdatamodeld, .xcdatamodel, the contents file in it, the .momd or the .mom.")
  var model: String

  @Option(help: ArgumentHelp("Version to print; the current one by default.", valueName: "name"))
  var modelVersion: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let listing: ModelListing
    do throws(ModelListing.Unusable) {
      listing = try ModelListing(model, version: modelVersion)
    } catch {
      CoreDataTool.complain(error.description)
      throw CoreDataTool.wrongInput
    }
    print(json ? try listing.json() : listing.text, terminator: "")
    for warning in listing.warnings { CoreDataTool.complain("warning: \(warning)") }
    if let problem = listing.problem {
      CoreDataTool.complain(problem)
      throw CoreDataTool.incomplete
    }
  }
}
