/// What the floor's child process measured; written as `result.json` into its folder.
public struct FloorMeasurement: Codable, Sendable, Equatable {
  /// From the first row until all rows were committed.
  public var floorSeconds: Double
  /// Rows written.
  public var rows: Int
  /// Commits made.
  public var commits: Int

  /// Makes a measurement.
  public init(floorSeconds: Double, rows: Int, commits: Int) {
    self.floorSeconds = floorSeconds
    self.rows = rows
    self.commits = commits
  }
}
