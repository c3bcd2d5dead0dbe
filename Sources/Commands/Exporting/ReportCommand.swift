import ArgumentParser
import Boundary
import Foundation
import Reporting

/// `contextbench report`: a run as one page of HTML.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write a run as one HTML page: tables, pictures, violations with timelines.",
    discussion: """
      The page holds everything it shows and loads nothing, so it can be mailed or kept as an artifact. It has a \
      timeline of the first cell with a history that showed a kind of violation. Its pictures \
      are those of scripts/plot, which is called for them when they are missing or older than the rows. Of an \
      exploration, or a schedule, it shows the interleavings, for which schedules are run again. The last line printed \
      is the page.
      """)

  @Argument(help: "A results folder: the last line that a run prints; or a schedule.", completion: .directory)
  var folder: String

  @Option(help: ArgumentHelp("Where the page goes; without it report.html in the folder.", valueName: "file"))
  var out: String?

  @Flag(inversion: .prefixedNo, help: "Call scripts/plot for pictures that are missing.")
  var plot = true

  func run() throws {
    let page = out ?? standardPage
    if let files = try ScheduleExport.files(folder) {
      return try ScheduleExport.exportDocument(folder, files, to: page, prints: page) { $0.html }
    }
    let text: String
    do throws(ReportingError) {
      let results = try Results(readingFrom: folder)
      guard let manifest = results.manifest else {
        throw ReportingError(
          path: folder, cause: "is a file", remedy: "Name a results folder: the last line that a run prints")
      }
      if plot, !results.cells.isEmpty, !Picture.areCurrent(inRun: folder) { drawPictures() }
      text =
        HTMLReport(
          results: results.judged, manifest: manifest, outcome: try RunOutcome(ofRun: folder),
          timelines: try Timelines(of: results.judged), pictures: try Picture.all(ofRun: folder),
          withoutPictures:
            "No pictures: scripts/plot \(folder) draws them, and \(Program.current.name) report puts them here."
        ).text
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    do throws(ReportingError) {
      try OutputFile.write(text, to: page)
    } catch {
      StandardError.write("\(error) with --out")
      throw ExitStatus.harnessFailure.exitCode
    }
    print(page)
  }

  /// Where the page goes without `--out`: into the folder, or beside a schedule.
  private var standardPage: String {
    guard !folder.hasSuffix("." + Schedule.fileExtension) else {
      return URL(fileURLWithPath: folder).deletingPathExtension().path + ".html"
    }
    return (folder.hasSuffix("/") ? folder : folder + "/") + "report.html"
  }

  /// Draws, or says why there will be no pictures; the page is worth something without them.
  private func drawPictures() {
    guard let script = PlotScript.find() else {
      StandardError.write(
        "\(folder): has no pictures of its rows, and there is no scripts/plot around \(Executable.path). "
          + "Call the one of contextbench's package with this folder, and report again")
      return
    }
    StandardError.write("\(script.path) draws the pictures; the first time it makes a Python environment")
    do {
      if try script.draw(folder) { return }
      StandardError.write("\(script.path) \(folder): failed, so there are no new pictures; see its messages above")
    } catch {
      StandardError.write("\(script.path): cannot be started: \(ReportingError.reason(error))")
    }
  }
}
