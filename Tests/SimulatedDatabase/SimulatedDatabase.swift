import Checking

/// A database in memory that keeps one isolation level exactly, and gives the history of transactions that overlap.
package struct SimulatedDatabase {
  package enum Level: String, CaseIterable, Sendable {
    /// One after the other.
    case serial
    /// Each sees the commits before its begin; the first committer of a list wins.
    case snapshot
    /// Each operation sees all commits so far; appends come with the commit.
    case readCommitted
    /// Every client sees everything at once, also appends that are taken back.
    case broken
  }

  private struct Active {
    let process: UInt32
    let start: Int
    let snapshot: [Int64: [Int64]]
    var appended: [Int64: [Int64]] = [:]
    var operations: [Transaction.MicroOperation] = []
    var remaining: Int
  }

  /// Lists in use at one time; each is left after so many appends, so that it stays short.
  private static let listCount: Int64 = 8
  private static let appendsPerList = 40
  private static let overlapping = 4

  private let level: Level
  private var random: SplitMix
  private var lists: [Int64: [Int64]] = [:]
  private var nextValue: [Int64: Int64] = [:]
  private var step = 0
  private var active: [Active] = []
  private var finished: [Transaction] = []
  private var currentKeys = Array(0..<listCount)
  private var nextKey = listCount

  /// A database with transactions and their order drawn from the seed.
  package init(level: Level, seed: UInt64) {
    self.level = level
    random = SplitMix(state: seed)
  }

  /// So many transactions, in the order in which they began; each process does one after the other.
  package mutating func run(transactions count: Int) -> [Transaction] {
    while finished.count < count {
      step += 1
      if active.count < (level == .serial ? 1 : Self.overlapping) {
        // Old lists stay readable in no transaction that begins now.
        let snapshot = Dictionary(uniqueKeysWithValues: currentKeys.compactMap { key in lists[key].map { (key, $0) } })
        let busy = Set(active.map(\.process))
        active.append(
          Active(
            process: (0...UInt32(Self.overlapping)).first { !busy.contains($0) } ?? 0, start: step, snapshot: snapshot,
            remaining: Int.random(in: 2...5, using: &random)))
        continue
      }
      let index = Int.random(in: 0..<active.count, using: &random)
      if active[index].remaining == 0 {
        finish(index)
      } else {
        active[index].remaining -= 1
        operate(index)
      }
    }
    return finished.sorted { $0.start < $1.start }
  }

  private mutating func operate(_ index: Int) {
    let position = Int.random(in: 0..<currentKeys.count, using: &random)
    let key = currentKeys[position]
    // Read committed takes the list's lock for an append; a client that would have to wait reads.
    let isLocked =
      level == .readCommitted && active.indices.contains { $0 != index && active[$0].appended[key] != nil }
    if isLocked || Bool.random(using: &random) {
      let committed = level == .snapshot ? active[index].snapshot[key] ?? [] : lists[key] ?? []
      let values = level == .broken ? committed : committed + (active[index].appended[key] ?? [])
      active[index].operations.append(.read(key: key, values: values))
    } else {
      let value = nextValue[key, default: 1]
      nextValue[key] = value + 1
      active[index].operations.append(.append(key: key, value: value))
      active[index].appended[key, default: []].append(value)
      if level == .broken { lists[key, default: []].append(value) }
      if value == Self.appendsPerList {
        currentKeys[position] = nextKey
        nextKey += 1
      }
    }
  }

  private mutating func finish(_ index: Int) {
    let transaction = active.remove(at: index)
    var isCommitted = Int.random(in: 0..<10, using: &random) > 0
    switch level {
    case .serial, .readCommitted: break
    case .snapshot:
      isCommitted =
        isCommitted && transaction.appended.keys.allSatisfy { lists[$0] ?? [] == transaction.snapshot[$0] ?? [] }
    case .broken:
      if !isCommitted {
        for (key, values) in transaction.appended { lists[key]?.removeAll { values.contains($0) } }
      }
    }
    if isCommitted, level != .broken {
      for (key, values) in transaction.appended { lists[key, default: []] += values }
    }
    finished.append(
      Transaction(
        process: transaction.process, outcome: isCommitted ? .ok : .fail, start: transaction.start, end: step,
        operations: transaction.operations))
  }
}

/// SplitMix64, so that a seed fixes a run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
