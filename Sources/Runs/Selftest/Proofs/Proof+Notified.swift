import Checking

extension Proof {
  private static let history = """
    w1 info will-save 100 c1
    w1 info did-save 100 c1
    w1 info notified Note 1..<3 = 1
    """

  private static func notified(_ more: String = "", _ versions: [Int64: Int64] = [1: 1, 2: 1]) throws -> Evidence {
    try .proof(history + more) {
      $0.store = .success(StoreContents(rows: [1: EntityRows(keys: [])], versions: [1: versions, 2: [:]]))
    }
  }

  /// The checker of notifications.
  static let notified: [Proof] = [
    Proof(NotificationChecker(), .violated, [.missedNotification], of: "a row without a notification") {
      try notified("", [1: 1, 2: 1, 9: 1])
    },
    Proof(NotificationChecker(), .violated, [.duplicateNotification], of: "a notification that comes twice") {
      try notified("\nw1 info did-save 100 c1\nw1 info notified Note 1..<3 = 1")
    },
    Proof(NotificationChecker(), .violated, [.wrongNotification], of: "a delete that did not happen") {
      try notified("\nw1 info will-save 100 c1\nw1 info did-save 100 c1\nw1 info notified Note 1 = 3")
    },
    Proof(NotificationChecker(), .held, of: "the difference that was saved") { try notified() },
    Proof(NotificationChecker(), .notExercised, of: "no notification") {
      try .proof { $0.store = .success(StoreContents(rows: [:], versions: [1: [:], 2: [:]])) }
    },
    Proof(NotificationChecker(), .unknown, of: "versions that were not read") { try .proof(history) },
    Proof(NotificationChecker(), .unknown, of: "a cell that was cut short") {
      var evidence = try notified("", [1: 1, 2: 1, 9: 1])
      evidence.parameters.isComplete = false
      return evidence
    },
  ]
}
