import ArgumentParser

/// `coredata store`: the contents of a store's file, and whether they fit a model.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Print what is in a Core Data store's file.",
    discussion: """
      Prints the entities with their numbers, tables and rows, the total, join tables and what the file says of itself. \
      Without --model also the entities and properties of the copy of its model that the file keeps. \
      The file is never changed, nor is anything beside it: where reading would leave traces, a copy is read. Only while \
      another process has the file open, SQLite may write to its -shm.

      With --model also whether the file fits the model and what does not, which version of the model fits instead, how \
      many objects the stack fetches of each entity, and whether relationships agree on both sides.

      Ends with 0, with 2 when the model does not fit or relationships disagree, with 64 when there is no file, it is no \
      Core Data store, or the model cannot be used.
      """)

  @Argument(help: "The store's SQLite file; its WAL is read where there is one.")
  var file: String

  @Option(help: ArgumentHelp("The .xcdatamodeld, .xcdatamodel, .momd or .mom.", valueName: "path"))
  var model: String?

  @Option(help: ArgumentHelp("Version of the model; the current one by default.", valueName: "name"))
  var modelVersion: String?

  @Flag(
    help: ArgumentHelp(
      "Print the persistent history, too: each transaction with its author, context and process, and what it changed.",
      discussion:
        "Names of changed properties are those of --model, or else of the copy that the file keeps of its model."))
  var history = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let listing: StoreListing
    do throws(StoreListing.Unusable) {
      listing = try StoreListing(file, model: model, version: modelVersion, withHistory: history)
    } catch {
      CoreDataTool.complain(error.description)
      throw CoreDataTool.wrongInput
    }
    print(json ? try listing.json() : listing.text, terminator: "")
    if !listing.isFine { throw CoreDataTool.incomplete }
  }
}
