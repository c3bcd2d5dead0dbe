/// The documentation of every CSV file, made from the declaration of its columns.
package enum ColumnDocumentation {
  /// All files, one below the other.
  package static var text: String {
    let empty = "An empty field means \"not measured\": a percentile of too small a sample, memory under a sanitizer.\n"
    return [
      Table<CellRow>.cells.documentation, Table<TimingRow>.timings.documentation,
      Table<ViolationRow>.violations.documentation, Table<DetectionRow>.detections.documentation, empty,
    ].joined(separator: "\n")
  }
}
