/// The Markdown report as the summary of a GitHub Actions step, which may have one mebibyte.
///
/// - SeeAlso: GitHub, "Workflow commands for GitHub Actions", "Adding a job summary".
package enum GitHubSummary: ExportFormat {
  package static let name = "github-summary"
  package static let summary = "Markdown for $GITHUB_STEP_SUMMARY, cut to what GitHub takes"
  package static let isForPrograms = false
  package static let appends = true

  /// Bytes that GitHub takes for one step.
  package static let bytesMax = 1 << 20

  /// The variable that names the file.
  package static let variable = "GITHUB_STEP_SUMMARY"

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    cut(try MarkdownExport.text(of: results), to: bytesMax)
  }

  /// The text's whole lines up to a size, and a last one that says what is missing.
  static func cut(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    let note = "\n*The rest does not fit here: see contextbench export DIR --format markdown.*\n"
    var kept = ""
    var size = note.utf8.count
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      size += line.utf8.count + 1
      if size > bytes { break }
      kept += line + "\n"
    }
    return kept + note
  }
}
