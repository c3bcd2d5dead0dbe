import RowStore

/// A fetch that reads its rows batch by batch: the objects are faults, and firing one reads its batch.
struct FetchBatch {
  /// In the order of the answer.
  private let references: ContiguousArray<RowReference>
  private let size: Int
  /// Paths of relationships to read along with each batch.
  let prefetched: [[PropertyLayout]]
  private var isRead: ContiguousArray<Bool>
  /// Batches that were not read.
  private var unread: Int
  /// Where the last batch ended: the next fault is often there.
  private var next = 0
  /// Positions in the order of their keys, made when a fault fires elsewhere for the first time.
  private var byKey: ContiguousArray<UInt32> = []

  init(references: ContiguousArray<RowReference>, size: Int, prefetched: [[PropertyLayout]]) {
    self.references = references
    self.size = size
    self.prefetched = prefetched
    unread = references.count / size + (references.count % size == 0 ? 0 : 1)
    isRead = ContiguousArray(repeating: false, count: unread)
  }

  var isDone: Bool { unread == 0 }

  /// The batch of an object, which is read from then on; nil when it is in none that was not read.
  ///
  /// - Complexity: O(1) when it begins the batch behind the last; else O(log *n*) for *n* objects, the first time
  ///   O(*n* log *n*).
  mutating func take(_ reference: RowReference) -> ArraySlice<RowReference>? {
    var position = next
    if position >= references.count || references[position] != reference {
      guard let found = find(reference) else { return nil }
      position = found
    }
    let number = position / size
    guard !isRead[number] else { return nil }
    isRead[number] = true
    unread -= 1
    next = min((number + 1) * size, references.count)
    return ArraySlice(references[number * size..<next])
  }

  /// Faults of other fetches are looked for here as well, so that this must not go through all of them.
  private mutating func find(_ reference: RowReference) -> Int? {
    if byKey.isEmpty {
      byKey = ContiguousArray(references.indices.map { UInt32($0) })
      byKey.sort { references[Int($0)].key < references[Int($1)].key }
    }
    let found = byKey.partitioning { references[Int($0)].key >= reference.key }
    guard found < byKey.count, references[Int(byKey[found])] == reference else { return nil }
    return Int(byKey[found])
  }
}

/// The fetches of a context that read batch by batch.
struct FetchBatches {
  /// More than these are not kept: faults of an older one read row by row.
  static let maximum = 8

  private var fetches: [FetchBatch] = []

  var isEmpty: Bool { fetches.isEmpty }

  mutating func add(_ fetch: FetchBatch) {
    if fetch.isDone { return }
    if fetches.count == Self.maximum { fetches.removeFirst() }
    fetches.append(fetch)
    precondition(fetches.count <= Self.maximum, "no more fetches are kept than there is room for")
  }

  mutating func removeAll() { fetches = [] }

  /// The batch of an object, by the latest fetch that has it, and the paths to prefetch with it.
  mutating func take(
    _ reference: RowReference
  ) -> (references: ArraySlice<RowReference>, prefetched: [[PropertyLayout]])? {
    for position in fetches.indices.reversed() {
      guard let references = fetches[position].take(reference) else { continue }
      let prefetched = fetches[position].prefetched
      if fetches[position].isDone { fetches.remove(at: position) }
      return (references, prefetched)
    }
    return nil
  }
}
