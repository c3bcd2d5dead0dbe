/// A form in which the results of a run can be handed to another tool.
package protocol ExportFormat: Sendable {
  /// Name on the command line.
  static var name: String { get }
  /// Its purpose, in a line.
  static var summary: String { get }
  /// Whether a program reads it, so that nothing else may be on its standard output.
  static var isForPrograms: Bool { get }
  /// Whether it also has the cells that only ran to be compared with.
  static var hasBase: Bool { get }

  /// The results in this form, whole.
  static func text(of results: ExportedResults) throws(ReportingError) -> String
}

extension ExportFormat {
  package static var isForPrograms: Bool { true }
  package static var hasBase: Bool { false }
}

/// All forms in which results can be exported.
package enum ExportFormats {
  /// In the order in which they are listed.
  package static let all: [any ExportFormat.Type] = [
    CSVExport.self, JSONExport.self, MarkdownExport.self, JUnitExport.self, SARIFExport.self, GitHubAnnotations.self,
    TraceExport.self,
  ]

  /// The form of a name.
  package static func named(_ name: String) -> (any ExportFormat.Type)? { all.first { $0.name == name } }
}
