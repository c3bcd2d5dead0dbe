import Checking
import CoreData

/// The rules for stores that are opened, closed, copied and exchanged: each returns a violation; nil = it holds.
enum LifecycleRules {
  /// Opening, saving and closing wait for the lock of the file, within the busy time-out.
  ///
  /// - Parameter doing: the attempt, as in "opening".
  static func failure(_ doing: String, _ error: any Error) -> Violation {
    let detail = error as NSError
    let cause = (detail.userInfo[NSUnderlyingErrorKey] as? any Error).map { ": \($0)" } ?? ""
    return Violation(
      kind: .failedSave, subject: doing, expected: "who finds the file locked waits, within the busy time-out",
      seen: "\(detail.domain) \(detail.code), \(detail.localizedDescription)\(cause)")
  }

  /// A closed store leaves no descriptor.
  ///
  /// - Parameter descriptors: paths of the store's files that are still open.
  static func closed(leaving descriptors: [String]) -> Violation? {
    guard !descriptors.isEmpty else { return nil }
    let names = descriptors.map { URL(fileURLWithPath: $0).lastPathComponent }.sorted().joined(separator: ", ")
    return Violation(
      kind: .contextLeak, subject: "descriptors of a closed store",
      expected: "none, once the store is taken from its coordinator", seen: "\(descriptors.count) are open: \(names)")
  }

  /// A copy is whole, and has every row that was acknowledged before it was made.
  ///
  /// - Parameters:
  ///   - path: its file, which is not open anywhere.
  ///   - kind: which copy, as in "file of a closed store".
  static func copy(_ path: String, _ kind: String, has keys: some Sequence<Int64>) -> [Violation] {
    func lost(expected: String, seen: String) -> Violation {
      Violation(kind: .lostRecord, subject: "copy: \(kind)", expected: expected, seen: seen)
    }
    do {
      let damages = try StoreCondition(ofStoreAt: path).damages.map { damage in
        Violation(
          kind: .storeCorruption, subject: "copy: \(kind)", expected: damage.expected,
          seen: "\(damage.place): \(damage.seen)")
      }
      guard damages.isEmpty else { return damages }
      let contents = try StoreContents(storeAt: path, layout: KeyedSchema.counter.layout, isKnownToBeWhole: true)
      let found = Set(contents.rows[KeyedSchema.entityNumber]?.keys ?? [])
      let missing = keys.filter { !found.contains($0) }
      guard let first = missing.first else { return [] }
      return [
        lost(
          expected: "every row that was acknowledged before it was made",
          seen: "\(missing.count) are missing, the first is \(first); it has \(found.count)")
      ]
    } catch {
      return [lost(expected: "a store", seen: "\(error)")]
    }
  }

  /// A client that saved to a store that others open too finds its acknowledged rows there.
  static func saved(_ keys: Range<Int64>, found: [Int64]) -> Violation? {
    let missing = Set(keys).subtracting(found)
    guard !missing.isEmpty else { return nil }
    return Violation(
      kind: .lostRecord, subject: "store that several made at once", expected: "every row that was acknowledged",
      seen: "\(missing.count) of \(keys.count) rows are missing for who saved them")
  }

  /// A save to a store that another one has taken the place of fails.
  static func refused(_ change: LifecycleStore.Change, by error: (any Error)?) -> Violation? {
    guard error == nil else { return nil }
    return Violation(
      kind: .storeCorruption, subject: "store that was exchanged", expected: "a save from before fails",
      seen: "a save with an \(change) from before succeeded")
  }

  /// The store that took another's place has its maker's row, and nothing of a client of the old one.
  static func exchanged(_ rows: [LifecycleStore.Row], has row: LifecycleStore.Row) -> Violation? {
    guard rows != [row] else { return nil }
    let seen = rows.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
    return Violation(
      kind: .storeCorruption, subject: "row of a store that took another's place",
      expected: "\(row.key) = \(row.value), which its maker saved", seen: seen.isEmpty ? "no row" : seen)
  }
}
