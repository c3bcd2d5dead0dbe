import ArgumentParser
import ManagedSources

/// `coredata port`: what model sources from Apple's systems need to compile here.
struct PortCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port", abstract: "Print or make the edits that model classes need to compile on Linux.",
    discussion: """
      @objc, @objc(Name) and @objcMembers become comments, which keep their names for the accessors; #keyPath becomes its \
      string; imports of submodules become those of their modules; @NSManaged stays. The files of a folder count as one \
      module. Prints the edits as a difference, and what has to be done by hand as file:line: what is \
      wrong. What to do.

      Ends with 0 when nothing is left to do by hand, with 2 when something is, with 64 when there is nothing to read, with \
      6 when a file cannot be written.
      """)

  @Argument(help: "Folder or file with Swift sources.")
  var folder: String

  @Flag(help: "Make the edits.")
  var write = false

  func run() throws {
    let files: [Porter.File]
    do throws(SourceFolder.Unusable) {
      files = try SourceFolder.port(folder)
    } catch {
      CoreDataTool.complain(error.description)
      throw CoreDataTool.wrongInput
    }
    for file in files where file.isChanged {
      print(file.difference, terminator: "")
      if write { try replace(file) }
    }
    let problems = files.flatMap(\.problems)
    for problem in problems { print(problem) }
    let changed = files.count(where: \.isChanged)
    print("\(changed) of \(files.count) files \(write ? "changed" : "to be changed"), \(problems.count) places by hand")
    if !problems.isEmpty { throw CoreDataTool.incomplete }
  }

  private func replace(_ file: Porter.File) throws {
    do throws(SourceFolder.Unusable) {
      try SourceFolder.write(file)
    } catch {
      CoreDataTool.complain(error.description)
      throw CoreDataTool.unwritable
    }
  }
}
