/// Why a history, a store file or a report file cannot be judged; whoever depends on it answers `unknown`.
package struct Unusable: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence: which file, and what is wrong with it.
  package var reason: String

  package init(_ reason: String) { self.reason = reason }

  package var description: String { reason }
}
