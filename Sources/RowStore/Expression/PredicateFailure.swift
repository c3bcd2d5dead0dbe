/// Why a predicate cannot be used.
package struct PredicateFailure: Error, CustomStringConvertible {
  /// Characters before the fault; nil where it is not one place of the format.
  package let position: Int?
  package let message: String

  package init(position: Int?, message: String) {
    self.position = position
    self.message = message
  }

  package var description: String { position.map { "at character \($0): \(message)" } ?? message }
}
