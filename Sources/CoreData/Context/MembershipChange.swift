/// The members that came to a set and those that left, compared with an earlier time.
struct MembershipChange<Member: Hashable> {
  var added: ContiguousArray<Member> = []
  var removed: ContiguousArray<Member> = []

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// The part of this change that came after `earlier`, which compares with the same time.
  ///
  /// Complexity: O(*n*) for *n* members of both.
  func since(_ earlier: Self) -> Self {
    if earlier.isEmpty { return self }
    let (wereAdded, wereRemoved) = (Set(earlier.added), Set(earlier.removed))
    let (areAdded, areRemoved) = (Set(added), Set(removed))
    return Self(
      added: added.filter { !wereAdded.contains($0) } + earlier.removed.filter { !areRemoved.contains($0) },
      removed: removed.filter { !wereRemoved.contains($0) } + earlier.added.filter { !areAdded.contains($0) })
  }

  /// The set before this change.
  func undone(on members: Set<Member>) -> Set<Member> { members.subtracting(added).union(removed) }
}
