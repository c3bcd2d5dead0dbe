extension CheckerCase {
  private static let history = """
    w1 info will-save 100 c1
    w1 info did-save 100 c1
    w1 info notified Note 1..<3 = 1

    """

  private static func notified(_ more: String = "", _ versions: [Int64: Int64] = [1: 1, 2: 1]) throws -> Evidence {
    try .sample(history + more) {
      $0.store = .success(StoreContents(rows: [1: EntityRows(keys: [])], versions: [1: versions, 2: [:]]))
    }
  }

  /// A save that begins after earlier notifications, and reports rows: inserted (1), updated (2), deleted (3).
  private static func saved(_ rows: String, _ change: Int) -> String {
    "w1 info will-save 100 c1\nw1 info did-save 100 c1\nw1 info notified Note \(rows) = \(change)\n"
  }

  /// Two saves under way at once, of which the later one is posted first.
  private static func overlapping(
    _ later: (rows: String, change: Int), _ earlier: (rows: String, change: Int)
  ) -> String {
    """
    w1 info will-save 100 c1
    w1 info will-save 200 c2
    w1 info did-save 200 c2
    w1 info notified Note \(later.rows) = \(later.change)
    w1 info did-save 100 c1
    w1 info notified Note \(earlier.rows) = \(earlier.change)

    """
  }

  /// The checker of notifications.
  static let notified: [CheckerCase] =
    gone + there + [
      CheckerCase(NotificationChecker(), .violated, [.duplicateNotification], of: "a notification that comes twice") {
        try notified("w1 info did-save 100 c1\nw1 info notified Note 1..<3 = 1")
      },
      CheckerCase(NotificationChecker(), .violated, [.wrongNotification], of: "a notification without a save") {
        try notified("w1 info did-save 100 c1\nw1 info notified Note 1 = 2")
      },
      CheckerCase(NotificationChecker(), .held, of: "the difference that was saved") { try notified() },
      CheckerCase(NotificationChecker(), .notExercised, of: "no notification") {
        try .sample { $0.store = .success(StoreContents(rows: [:], versions: [1: [:], 2: [:]])) }
      },
      CheckerCase(NotificationChecker(), .unknown, of: "versions that were not read") { try .sample(history) },
      CheckerCase(NotificationChecker(), .unknown, of: "a cell that was cut short") {
        var evidence = try notified("", [1: 1, 2: 1, 9: 1])
        evidence.parameters.isComplete = false
        return evidence
      },
    ]

  /// Rows that are gone, and reports in an order in which they cannot be.
  private static let gone: [CheckerCase] = [
    CheckerCase(NotificationChecker(), .violated, [.missedNotification], of: "a row that is gone without a report") {
      try notified("", [1: 1])
    },
    CheckerCase(NotificationChecker(), .held, of: "a row that is gone and was reported") {
      try notified(saved("2", 3), [1: 1])
    },
    CheckerCase(NotificationChecker(), .violated, [.wrongNotification], of: "an update of a row that never was") {
      try notified(saved("9", 2))
    },
    CheckerCase(NotificationChecker(), .violated, [.missedNotification], of: "an acknowledged delete without a report")
    {
      try notified("w2 invoke delete Note 5\nw2 ok delete Note 5")
    },
    CheckerCase(NotificationChecker(), .held, of: "an acknowledged delete that was reported") {
      try notified("w2 invoke delete Note 2\n" + saved("2", 3) + "w2 ok delete Note 2", [1: 1])
    },
    CheckerCase(NotificationChecker(), .violated, [.wrongNotification], of: "a delete after a delete") {
      try notified(saved("2", 3) + saved("2", 3), [1: 1])
    },
    CheckerCase(NotificationChecker(), .held, of: "two deletes at once") {
      try notified(overlapping(("2", 3), ("2", 3)), [1: 1])
    },
    CheckerCase(NotificationChecker(), .violated, [.wrongNotification], of: "an insert after an update") {
      try notified(saved("9", 2) + saved("9", 1), [1: 1, 2: 1, 9: 2])
    },
    CheckerCase(NotificationChecker(), .held, of: "an update posted before the insert it was saved beside") {
      try notified(overlapping(("9", 2), ("9", 1)), [1: 1, 2: 1, 9: 2])
    },
    CheckerCase(NotificationChecker(), .violated, [.wrongNotification], of: "an insert after an insert") {
      try notified(saved("2", 1) + saved("2", 3))
    },
  ]

  /// Rows that are there.
  private static let there: [CheckerCase] = [
    CheckerCase(NotificationChecker(), .violated, [.missedNotification], of: "a row without a notification") {
      try notified("", [1: 1, 2: 1, 9: 1])
    },
    CheckerCase(NotificationChecker(), .violated, [.missedNotification], of: "a row whose insert was not reported") {
      try notified(saved("9", 2), [1: 1, 2: 1, 9: 2])
    },
    CheckerCase(NotificationChecker(), .violated, [.missedNotification], of: "a row that was updated without a report")
    {
      try notified(saved("2", 2), [1: 1, 2: 3])
    },
    CheckerCase(NotificationChecker(), .held, of: "a row that was updated and reported") {
      try notified(saved("2", 2), [1: 1, 2: 2])
    },
    CheckerCase(NotificationChecker(), .violated, [.wrongNotification], of: "a delete that did not happen") {
      try notified(saved("1", 3))
    },
    CheckerCase(NotificationChecker(), .violated, [.wrongNotification], of: "two inserts of one row at once") {
      try notified(overlapping(("9", 1), ("9", 1)), [1: 1, 2: 1, 9: 1])
    },
  ]
}
