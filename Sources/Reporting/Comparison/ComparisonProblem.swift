/// Why two runs cannot be compared, and what to do about it.
package struct ComparisonProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ what: String, _ remedy: String) { description = "\(what). \(remedy)" }
}
