import Testing

@testable import CoreData

/// Every small store, every set of unsaved changes, every page: the same as applying the changes and sorting everything.
@Suite struct PendingOverlayTests {
  private struct Item: Equatable {
    let id: Int
    /// Its sort key; nil where the fetch does not ask for it, or it is deleted.
    var key: Int?
  }

  // S7.3
  @Test func aPageIsWhatTheChangedStoreWouldAnswer() {
    var count = 0
    // Up to three rows; each row and one inserted object have, before and after, no key or one of two.
    let keys: [Int?] = [nil, 0, 1]
    func choices(_ length: Int) -> [[Int?]] {
      length == 0 ? [[]] : choices(length - 1).flatMap { rest in keys.map { rest + [$0] } }
    }
    for size in 0...3 {
      for before in choices(size) {
        for changed in 0..<(1 << size) {
          let changedCount = changed.nonzeroBitCount
          for after in choices(changedCount + 1) {
            for limit in 0...2 {
              for offset in 0...2 {
                check(before, changed, after, PendingOverlay(offset: offset, limit: limit))
                count += 1
              }
            }
          }
        }
      }
    }
    #expect(count > 10_000)
  }

  private func check(_ before: [Int?], _ changed: Int, _ after: [Int?], _ overlay: PendingOverlay) {
    func isChanged(_ item: Item) -> Bool { item.id < before.count && changed & (1 << item.id) != 0 }
    let rows = before.indices.map { Item(id: $0, key: before[$0]) }
    var new = after.makeIterator()
    let additions = (rows.filter(isChanged).map(\.id) + [before.count]).compactMap { id -> Item? in
      guard let key = new.next() ?? nil else { return nil }
      return Item(id: id, key: key)
    }
    func isBefore(_ left: Item, _ right: Item) -> Bool { left.key! < right.key! }
    func sorted(_ items: [Item]) -> [Item] {
      items.enumerated().sorted {
        isBefore($0.element, $1.element) || (!isBefore($1.element, $0.element) && $0.offset < $1.offset)
      }.map(\.element)
    }
    let stored = sorted(rows.filter { $0.key != nil })
    let asked = overlay.storeLimit(beside: (changed.nonzeroBitCount) + 1)
    let answer = ContiguousArray(asked > 0 ? Array(stored.prefix(asked)) : stored)
    let found = overlay.page(
      answer, without: isChanged, with: ContiguousArray(sorted(additions)), item: { $0 },
      isBehind: { isBefore($1, $0) })
    let everything = sorted(stored.filter { !isChanged($0) } + sorted(additions))
    let rest = everything.dropFirst(overlay.offset)
    let expected = overlay.limit > 0 ? Array(rest.prefix(overlay.limit)) : Array(rest)
    if Array(found) != expected {
      Issue.record("\(before) \(changed) \(after) \(overlay): \(found), and not \(expected)")
    }
  }
}
