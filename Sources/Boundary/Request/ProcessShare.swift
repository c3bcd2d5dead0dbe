/// The index of this process among those of a cell, and its share of the work.
///
/// A scenario's key `processes` says how many there are: the first is started by the run, and starts the others.
public struct ProcessShare: Codable, Sendable, Hashable {
  /// Number of the process, from 0.
  public var index: Int
  /// How many processes there are.
  public var count: Int

  /// The only process of a cell.
  package static let whole = ProcessShare(index: 0, count: 1)

  /// A process of several.
  package init(index: Int, count: Int) {
    precondition((0..<count).contains(index), "a process is one of the cell's")
    self.index = index
    self.count = count
  }

  /// Whether this is the process that the run started.
  public var isFirst: Bool { index == 0 }

  /// The name of the process in reports: `process 2 of 3`.
  package var name: String { "process \(index + 1) of \(count)" }

  /// The part of `total` things, numbered from 0, that falls to this process; the parts differ by one at most.
  public func part(of total: Int) -> Range<Int> {
    precondition(total >= 0, "things are numbered from 0")
    return total * index / count..<total * (index + 1) / count
  }

  /// A number that no other process gives: the `own`-th of this one, from 0.
  ///
  /// The first ones of all processes come before the second ones.
  public func number(_ own: Int) -> Int {
    precondition(own >= 0, "the numbers of a process count from 0")
    return own * count + index
  }
}
