/// What the floor's child process measured; written as `result.json` into its folder.
package struct FloorMeasurement: Codable, Sendable, Equatable {
  /// From the first row until all rows were committed.
  package var floorSeconds: Double
  /// Rows written.
  package var rows: Int
  /// Commits made.
  package var commits: Int

  /// Makes a measurement.
  package init(floorSeconds: Double, rows: Int, commits: Int) {
    self.floorSeconds = floorSeconds
    self.rows = rows
    self.commits = commits
  }
}
