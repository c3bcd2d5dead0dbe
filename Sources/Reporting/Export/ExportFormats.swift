/// All forms in which results can be exported.
package enum ExportFormats {
  /// In the order in which they are listed.
  package static let all: [any ExportFormat.Type] = [
    CSVExport.self, JSONExport.self, MarkdownExport.self, JUnitExport.self, SARIFExport.self, GitHubAnnotations.self,
    GitHubSummary.self, BencherExport.self, GitHubBenchmarkExport.self, OpenMetricsExport.self, TraceExport.self,
  ]

  /// The form of a name.
  package static func named(_ name: String) -> (any ExportFormat.Type)? { all.first { $0.name == name } }
}
