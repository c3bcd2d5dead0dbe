extension CheckerCase {
  private static func lists(_ history: String, file: [Int64: [Int64]] = [:]) throws -> Evidence {
    var rows = EntityRows(keys: file.keys.sorted())
    rows.lists = file
    return try .sample(history, notes: rows) { $0.parameters.layout.entities[0].listColumn = "ZBODY" }
  }

  /// Transactions that all begin before any of them ends: each `a1=7` appends, `r1=[7]` sees, and `!` is refused.
  private static func concurrent(_ transactions: String...) throws -> Evidence {
    var opening: [String] = []
    var rest: [String] = []
    for (process, text) in transactions.enumerated() {
      opening.append("w\(process) invoke txn 1")
      for word in text.replacingText("!", "").split(separator: " ") {
        let parts = word.dropFirst().split(separator: "=")
        let isAppend = word.first == "a"
        rest.append(
          isAppend
            ? "w\(process) info append Note \(parts[0]) = \(parts[1])"
            : "w\(process) info r Note \(parts[0]) \(parts[1].replacing(",", with: " "))")
      }
      rest.append("w\(process) \(text.hasPrefix("!") ? "fail" : "ok") txn 1")
    }
    return try lists((opening + rest).joined(separator: "\n"))
  }

  private static let twoAppends = """
    w1 invoke txn 1
    w1 info append Note 3 = 7
    w1 ok txn 1
    w2 invoke txn 1
    w2 info r Note 3 [7]
    w2 info append Note 3 = 8
    w2 ok txn 1
    """

  private static func balances(_ seen: String, fetches: Int = 1, inFile: [Int64] = [7, 13]) throws -> Evidence {
    let sum = seen.split(separator: " ").compactMap { Int($0) }.reduce(0, +)
    var rows = EntityRows(keys: [1, 2])
    rows.values = [1: inFile[0], 2: inFile[1]]
    return try .sample(
      """
      w1 invoke insert Note 1..<3 = 10
      w1 ok insert Note 1..<3 = 10
      w1 invoke transfer Note 1 = 3
      w1 info credit Note 2 = 3
      w0 invoke balances Note 1 = \(fetches)
      w0 ok balances Note 1 = \(sum) [\(seen)]
      w1 ok transfer Note 1 = 3
      """, notes: rows)
  }

  private static func edited(_ values: [Int64], policy: String? = "store-trump") throws -> Evidence {
    var rows = EntityRows(keys: [7])
    rows.properties = [7: values]
    return try .sample(
      """
      w1 invoke edit Note 7 [1 2 10 2]
      w1 ok edit Note 7
      w2 invoke edit Note 7 [1 2 20 21]
      w2 ok edit Note 7
      """, notes: rows
    ) { $0.parameters.mergePolicy = policy }
  }

  private static let refused = "w0 invoke update Note 1\nw0 fail update Note 1 = 133020"

  /// Checkers of transactions, balances, merge policies and refused saves.
  static let consistency: [CheckerCase] =
    listAppend + [
      CheckerCase(BankChecker(), .violated, [.tornRead], of: "half of a transfer") { try balances("7 10") },
      CheckerCase(BankChecker(), .violated, [.readSkew], of: "half of a transfer in two fetches") {
        try balances("7 10", fetches: 2)
      },
      CheckerCase(BankChecker(), .violated, [.lostUpdate], of: "another total in the file") {
        try balances("10 10", inFile: [7, 10])
      },
      CheckerCase(BankChecker(), .held, of: "the total") { try balances("7 13") },
      CheckerCase(BankChecker(), .notExercised, of: "no accounts") { try .sample() },
      CheckerCase(MergePolicyChecker(), .violated, [.wrongWinner], of: "another winner") { try edited([20, 21]) },
      CheckerCase(MergePolicyChecker(), .held, of: "the policy's winner") { try edited([10, 21]) },
      CheckerCase(MergePolicyChecker(), .notExercised, of: "no conflict") {
        try .sample { $0.parameters.mergePolicy = "store-trump" }
      },
      CheckerCase(MergePolicyChecker(), .unknown, of: "no policy") { try edited([10, 21], policy: nil) },
      CheckerCase(FailedSaveChecker(), .violated, [.failedSave], of: "a refused save that is not repeated") {
        try .sample(refused)
      },
      CheckerCase(FailedSaveChecker(), .held, of: "a refused save that is repeated") {
        try .sample(refused + "\nw0 invoke update Note 1\nw0 ok update Note 1")
      },
      CheckerCase(FailedSaveChecker(), .notExercised, of: "no save") { try .sample() },
    ]

  private static let listAppend: [CheckerCase] = [
    CheckerCase(ListAppendChecker(), .violated, [.lostUpdate], of: "an append that the file lacks") {
      try lists(twoAppends, file: [3: [7]])
    },
    CheckerCase(ListAppendChecker(), .violated, [.incompatibleOrder], of: "two orders of one list") {
      try concurrent("a1=1", "a1=2", "r1=[1,2]", "r1=[2,1]")
    },
    CheckerCase(ListAppendChecker(), .violated, [.dirtyRead], of: "a refused append that was read") {
      try concurrent("!a1=1", "r1=[1]")
    },
    CheckerCase(ListAppendChecker(), .violated, [.readSkew], of: "a list seen in two ways") {
      try concurrent("a1=1", "r1=[] r1=[1]")
    },
    CheckerCase(ListAppendChecker(), .violated, [.writeSkew], of: "two that read what the other writes") {
      try concurrent("r1=[] a2=2", "r2=[] a1=1", "r1=[1] r2=[2]")
    },
    CheckerCase(ListAppendChecker(), .violated, [.readYourWrites], of: "an append that its transaction does not see") {
      try concurrent("a1=1 r1=[]")
    },
    CheckerCase(ListAppendChecker(), .violated, [.longFork], of: "two appends seen in opposite orders") {
      try concurrent("a1=1", "a2=1", "r1=[1] r2=[]", "r1=[] r2=[1]")
    },
    CheckerCase(ListAppendChecker(), .held, of: "one after the other") { try lists(twoAppends, file: [3: [7, 8]]) },
    CheckerCase(ListAppendChecker(), .notExercised, of: "no transactions") { try lists("") },
    CheckerCase(ListAppendChecker(), .unknown, of: "an append outside of a transaction") {
      try lists("w1 info append Note 3 = 7\nw1 invoke txn 1")
    },
  ]
}
