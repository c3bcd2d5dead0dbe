/// The documentation of every CSV file, made from the declaration of its columns.
package enum ColumnDocumentation {
  /// All files, one below the other.
  ///
  /// - Parameter width: columns of the terminal that it has to fit; nil = a line for each column.
  package static func text(width: Int? = nil) -> String {
    let empty = "An empty field means \"not measured\": a percentile of too small a sample, memory under a sanitizer.\n"
    return [
      Table<CellRow>.cells.documentation(width: width), Table<TimingRow>.timings.documentation(width: width),
      Table<ViolationRow>.violations.documentation(width: width),
      Table<DetectionRow>.detections.documentation(width: width), empty,
    ].joined(separator: "\n")
  }
}
