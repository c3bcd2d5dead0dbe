import ArgumentParser
import ManagedSources

/// `coredata port`: changes that model sources from Apple's systems need to compile here.
struct PortCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port", abstract: "Print or make the edits that model classes need to compile on Linux.",
    discussion: """
      @objc, @objc(Name) and @objcMembers become comments, which keep their names for the accessors; #keyPath becomes its \
      string; imports of submodules become those of their modules; a file that uses Core Data imports it; beside a macro \
      @objc(Name) becomes @_objcRuntimeName(Name); @NSManaged stays. The files of a folder count as one \
      module; files that Package.swift leaves out stay as they are. Prints the edits as a difference, what has to be done \
      by hand as file:line: what is wrong. What to do; and at the end how many places there are of each kind.

      Ends with 0 when nothing is left to do by hand, with 2 when something is, with 64 when there is nothing to read, with \
      6 when a file cannot be written.
      """)

  @Argument(help: "Folder or file with Swift sources.")
  var folder: String

  @Flag(help: "Make the edits.")
  var write = false

  func run() throws {
    let ported: PortedFolder
    do throws(SourceFolder.Unusable) {
      ported = try SourceFolder.port(folder)
    } catch {
      CoreDataTool.complain(error.description)
      throw CoreDataTool.wrongInput
    }
    for file in ported.files where file.isChanged {
      print(file.difference, terminator: "")
      if write { try replace(file) }
    }
    for problem in ported.problems { print(problem) }
    for line in ported.summary { print(line) }
    let changed = ported.files.count(where: \.isChanged)
    print(
      "\(changed) of \(ported.files.count) files \(write ? "changed" : "to be changed"), "
        + "\(ported.problems.count) places by hand")
    if !ported.problems.isEmpty { throw CoreDataTool.incomplete }
  }

  private func replace(_ file: Porter.File) throws {
    precondition(file.isChanged, "only a file that was edited is written")
    do throws(SourceFolder.Unusable) {
      try SourceFolder.write(file)
    } catch {
      CoreDataTool.complain(error.description)
      throw CoreDataTool.unwritable
    }
  }
}
