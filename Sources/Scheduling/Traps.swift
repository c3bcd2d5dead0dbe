// In place of the standard library's functions of these names, everywhere in a module that has this file: those lose their
// message in a release build, which ends with "Swift runtime failure". Other modules have it as a link: a name that hides the
// standard library's has to be the module's own, or be imported by each file.

/// Ends the process and says why on standard error, in every build.
func preconditionFailure(
  _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(message(), file: file, line: line)
}

/// Ends the process and says why on standard error, in every build, unless a condition holds.
@inline(__always)
func precondition(
  _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "", file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition() { preconditionFailure(message(), file: file, line: line) }
}
