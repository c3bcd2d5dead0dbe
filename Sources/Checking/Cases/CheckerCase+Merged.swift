extension CheckerCase {
  /// Two saves of one row that both had read as 1, 2, 3, and the row by each merge policy.
  private struct Conflict {
    /// The row's state before the second save.
    let name: String
    /// The values of the first save; nil for a delete.
    let first: [Int64]?
    /// The values of the second save; nil for a delete.
    let second: [Int64]?
    /// The row in the file afterwards, by policy; nil for no row.
    let left: [(policy: String, row: [Int64]?)]
  }

  /// The first property changes in both saves, the second in the first save only, the third in the second save only.
  private static let there: [Int64] = [10, 20, 3]
  private static let here: [Int64] = [11, 2, 33]
  private static let thereFirst: [Int64] = [10, 20, 33]
  private static let hereFirst: [Int64] = [11, 20, 33]

  private static let conflicts = [
    Conflict(
      name: "a row that was changed", first: there, second: here,
      left: [
        ("error", there), ("store-trump", thereFirst), ("object-trump", hereFirst), ("overwrite", here),
        ("rollback", there),
      ]),
    Conflict(
      name: "the delete of a row that was changed", first: there, second: nil,
      left: [
        ("error", there), ("store-trump", there), ("object-trump", nil), ("overwrite", nil), ("rollback", there),
      ]),
    Conflict(
      name: "a row that was deleted", first: nil, second: here,
      left: [("error", nil), ("store-trump", nil), ("object-trump", here), ("overwrite", here), ("rollback", nil)]),
  ]

  /// An edit of the row by a worker, from beginning to end.
  ///
  /// - Parameters:
  ///   - row: the saved values; nil for a delete.
  ///   - end: its completion's type.
  ///   - code: the error's code, for a refused edit.
  private static func edit(
    _ worker: Int, _ row: [Int64]?, _ end: String = "ok", code: Int? = nil, isPush: Bool = false
  ) -> String {
    precondition(row.map { $0.count == 3 } ?? true, "a row has three properties, as it was read")
    let values = row.map { "[1 2 3 \($0.map(String.init).joined(separator: " "))]" } ?? "= 1 [1 2 3]"
    let push = isPush ? "w\(worker) ok push Note 7\n" : ""
    let error = code.map { " = \($0)" } ?? ""
    return "w\(worker) invoke edit Note 7 \(values)\n\(push)w\(worker) \(end) edit Note 7\(error)\n"
  }

  private static func saved(_ history: String, _ policy: String, file: [Int64]?) throws -> Evidence {
    var rows = EntityRows(keys: file == nil ? [] : [7])
    rows.properties = file.map { [7: $0] } ?? [:]
    return try .sample(history, notes: rows) { $0.parameters.mergePolicy = policy }
  }

  /// For each conflict and policy: the file as it must be, as each other policy would leave it, and the other answer.
  private static let ofConflicts: [CheckerCase] = conflicts.flatMap { conflict in
    precondition(Set(conflict.left.map(\.policy)).count == 5, "a conflict ends in one way by each policy")
    return conflict.left.flatMap { policy, row in
      let what = "\(policy), \(conflict.name)"
      let (answer, otherAnswer) = policy == "error" ? ("fail", "ok") : ("ok", "fail")
      let history = edit(1, conflict.first) + edit(2, conflict.second, answer)
      let others = Set([there, thereFirst, hereFirst, here, nil]).subtracting([row])
      return [
        CheckerCase(MergePolicyChecker(), .held, of: what) { try saved(history, policy, file: row) },
        CheckerCase(MergePolicyChecker(), .violated, [.wrongWinner], of: "\(what): \(otherAnswer)") {
          try saved(edit(1, conflict.first) + edit(2, conflict.second, otherAnswer), policy, file: row)
        },
      ]
        + others.map { other in
          CheckerCase(
            MergePolicyChecker(), .violated, [.wrongWinner], of: "\(what): \(other.map { "\($0)" } ?? "gone")"
          ) {
            try saved(history, policy, file: other)
          }
        }
    }
  }

  private static let pushed = edit(1, there) + edit(2, here, isPush: true)
  private static let deleted = edit(1, there) + edit(2, nil, isPush: true)
  private static let broken = edit(1, there) + edit(2, here, "fail", code: 134_030) + edit(3, here)
  private static let atOnce = """
    w1 invoke edit Note 7 [1 2 3 10 20 3]
    w2 invoke edit Note 7 [1 2 3 11 2 33]
    w1 ok edit Note 7
    w2 ok edit Note 7
    """

  /// The checker of merge policies: each policy, with deletes, and pushes to a parent context.
  static let merged: [CheckerCase] =
    ofConflicts + [
      CheckerCase(MergePolicyChecker(), .held, of: "a push, of which the child's changes win") {
        try saved(pushed, "error", file: hereFirst)
      },
      CheckerCase(MergePolicyChecker(), .violated, [.wrongWinner], of: "a push that took the child's whole row") {
        try saved(pushed, "error", file: here)
      },
      CheckerCase(MergePolicyChecker(), .violated, [.wrongWinner], of: "a push that the parent's changes won") {
        try saved(pushed, "store-trump", file: thereFirst)
      },
      CheckerCase(MergePolicyChecker(), .held, of: "a push of a delete") { try saved(deleted, "error", file: nil) },
      CheckerCase(MergePolicyChecker(), .violated, [.wrongWinner], of: "a push of a delete, and the row is there") {
        try saved(deleted, "store-trump", file: there)
      },
      CheckerCase(MergePolicyChecker(), .held, of: "a save that the file did not take") {
        try saved(broken, "object-trump", file: hereFirst)
      },
      CheckerCase(MergePolicyChecker(), .violated, [.wrongWinner], of: "a save that was refused for another reason") {
        try saved(broken.replacingText("134030", "133020"), "object-trump", file: hereFirst)
      },
      CheckerCase(MergePolicyChecker(), .notExercised, of: "two saves at once, of which neither is judged") {
        try saved(atOnce, "store-trump", file: here)
      },
    ]
}
