/// A contradiction in the state of a part of the stack.
package struct BrokenInvariant: Error, CustomStringConvertible {
  /// The sentence that should hold.
  package let description: String

  package init(_ description: String) { self.description = description }

  /// Throws unless `condition` holds.
  package static func unless(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
    if !condition { throw BrokenInvariant(sentence()) }
  }

  /// Ends the process where `verify` finds something broken; for tests and stress.
  package static func trap(_ subject: String, _ verify: () throws -> Void) {
    do {
      try verify()
    } catch {
      preconditionFailure("\(subject) contradicts itself, which is a bug of the stack, to be reported: \(error)")
    }
  }
}
