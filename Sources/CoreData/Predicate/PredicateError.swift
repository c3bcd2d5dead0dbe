/// Why a predicate cannot be used.
struct PredicateError: Error, CustomStringConvertible {
  /// Characters before the fault; nil where it is not one place of the format.
  let position: Int?
  let message: String

  var description: String { position.map { "at character \($0): \(message)" } ?? message }
}
