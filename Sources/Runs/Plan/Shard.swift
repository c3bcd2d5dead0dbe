/// A part of a plan: every `count`-th block, beginning with the `index`-th.
package struct Shard: Sendable, Hashable {
  /// Which part, from 1.
  package var index: Int
  /// Number of parts.
  package var count: Int

  /// Reads `i/n`; nil when it is not that, or i is not in 1…n.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, (1...count).contains(index) else {
      return nil
    }
    self.index = index
    self.count = count
  }
}
