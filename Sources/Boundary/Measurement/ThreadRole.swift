/// Who does an operation.
package enum ThreadRole: String, Codable, Sendable {
  /// The main thread.
  case main
  /// Any other thread.
  case worker
}
