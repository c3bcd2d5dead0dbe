/// Compares the notifications about an entity's rows with the rows.
struct NotifiedRows {
  /// A row of which something else was reported than happened.
  struct Finding {
    var step: Int
    var text: String
  }

  private(set) var missed: [Finding] = []
  private(set) var wrong: [Finding] = []
  /// Rows that are gone, and were reported as deleted.
  private(set) var deletedCount = 0

  private let reported: [Int64: [NotifiedSaves.Event]]
  private let versions: [Int64: Int64]

  /// - Parameter versions: By primary key, the rows' versions in the file.
  init(_ reported: [Int64: [NotifiedSaves.Event]], _ versions: [Int64: Int64]) {
    self.reported = reported
    self.versions = versions
  }

  mutating func compare() {
    for (key, version) in versions where reported[key] == nil {
      missed.append(Finding(step: 0, text: "row \(key) of version \(version) is there, and was never reported"))
    }
    for (key, events) in reported { compare(key, events) }
    missed.sort { ($0.step, $0.text) < ($1.step, $1.text) }
    wrong.sort { ($0.step, $0.text) < ($1.step, $1.text) }
  }

  private mutating func compare(_ key: Int64, _ events: [NotifiedSaves.Event]) {
    precondition(!events.isEmpty, "a row that was reported has an event")
    let last = events[events.count - 1]
    let inserts = events.count { $0.change == .insert }
    let updates = events.count { $0.change == .update }
    let deletes = events.count { $0.change == .delete }
    if let stray = outOfOrder(events) {
      wrong.append(Finding(step: stray.step, text: "row \(key) was reported out of order: \(Self.text(events))"))
      return
    }
    guard let version = versions[key] else {
      if deletes >= inserts, deletes > 0 {
        deletedCount += 1
      } else if inserts > 0 {
        missed.append(Finding(step: last.step, text: "row \(key) is gone, and no notification reported its delete"))
      } else {
        wrong.append(Finding(step: last.step, text: "row \(key) was reported, and is not there: \(Self.text(events))"))
      }
      return
    }
    if inserts == 0 {
      missed.append(Finding(step: last.step, text: "row \(key) is there, and no notification reported its insert"))
    } else if deletes >= inserts {
      wrong.append(Finding(step: last.step, text: "row \(key) was reported as deleted, and is there"))
    } else if inserts > deletes + 1 {
      wrong.append(Finding(step: last.step, text: "row \(key) was inserted \(inserts) times: \(Self.text(events))"))
    } else if deletes == 0, Int64(updates) < version - 1 {
      missed.append(
        Finding(step: last.step, text: "row \(key) was updated \(version - 1) times, and reported \(updates) times"))
    }
  }

  /// The first event that cannot follow those before it, though its save began after they were posted.
  ///
  /// An update may follow a delete: a save writes nothing of an object that was set to its old values, so it cannot notice
  /// that the row is gone. A save that brought the row back is seen by the row.
  private func outOfOrder(_ events: [NotifiedSaves.Event]) -> NotifiedSaves.Event? {
    for (earlier, later) in zip(events, events.dropFirst()) where later.begin > earlier.step {
      switch (earlier.change, later.change) {
      case (.insert, .insert), (.update, .insert), (.delete, .delete): return later
      default: continue
      }
    }
    return nil
  }

  private static func text(_ events: [NotifiedSaves.Event]) -> String {
    events.prefix(6).map { "\($0.change)" }.joined(separator: ", ")
  }
}
