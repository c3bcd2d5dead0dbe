/// How a run shows on standard error what it does.
package enum ProgressForm: Sendable {
  case none
  /// One line, on a terminal only.
  case bar
  /// The strategies side by side; elsewhere than on a terminal a line for each cell.
  case watch
}
