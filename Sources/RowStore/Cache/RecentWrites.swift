/// The rows written while reads were under way, and the commits that wrote them: rows of such a read may be older.
///
/// A row is noted by appending it to a list, and by its group. Only where a read comes with a row of a group that was
/// written is the list put in order.
struct RecentWrites {
  /// Length of the list before it is put in order, which leaves each row once.
  private static let listedMax = 4_096

  private var list: ContiguousArray<(identity: RowIdentity, commit: UInt64)> = []
  private var commits: [RowIdentity: UInt64] = [:]
  /// The last commit of each group, whether or not its rows are still noted.
  private var lastOfGroup = ContiguousArray<UInt64>(repeating: 0, count: KeyGroup.count)

  var isEmpty: Bool { list.isEmpty && commits.isEmpty }

  /// Every commit that is noted.
  var allCommits: [UInt64] { list.map(\.commit) + commits.values }

  /// Notes the rows of a commit, which is no earlier one than those before. Complexity: O(1) amortised for each.
  mutating func note(_ identities: some Sequence<RowIdentity>, commit: UInt64) {
    for identity in identities {
      lastOfGroup[KeyGroup.of(identity)] = commit
      list.append((identity, commit))
    }
    if list.count > Self.listedMax { order() }
  }

  /// Whether the row was written by a commit after that one.
  mutating func hasWritten(_ identity: RowIdentity, after commit: UInt64) -> Bool {
    guard lastOfGroup[KeyGroup.of(identity)] > commit else { return false }
    if !list.isEmpty { order() }
    return commits[identity].map { $0 > commit } ?? false
  }

  mutating func removeAll() {
    list.removeAll(keepingCapacity: list.count <= Self.listedMax)
    if !commits.isEmpty { commits = [:] }
  }

  private mutating func order() {
    for entry in list { commits[entry.identity] = entry.commit }
    list.removeAll(keepingCapacity: list.count <= Self.listedMax)
  }
}
