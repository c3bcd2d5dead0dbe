import Reporting

/// A matrix, and how the search that it is made of ended.
package struct MatrixReport: Sendable {
  /// The results folder as it is shown.
  package let folder: String
  package internal(set) var matrix: Matrix
  /// What the harness failed at.
  package internal(set) var harnessFailures: [String] = []
  /// Whether Ctrl-C ended it.
  package internal(set) var isInterrupted = false

  init(folder: String, matrix: Matrix) {
    self.folder = folder
    self.matrix = matrix
  }

  /// How it ended: what strategies show is what was asked for, and no failure.
  package var ending: RunEnding { harnessFailures.isEmpty ? .passed : .harnessFailed }
}
