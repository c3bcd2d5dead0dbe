extension CheckerCase {
  private static func followed(
    _ verdict: Verdict, _ kinds: ViolationKind..., of name: String, _ history: String
  ) -> CheckerCase {
    CheckerCase(HistoryMergesChecker(), verdict, kinds, of: name) { try .sample(history) }
  }

  /// The checker of contexts that follow a persistent history.
  static let followed: [CheckerCase] = [
    followed(
      .held, of: "transactions merged in order, and one's own passed over",
      """
      w0 info history-read 4 c1
      w0 ok merge 5 c1
      w0 info merge 6 = 1 c1
      w0 ok history-read 6 c1
      w0 ok merge 7 c1
      w0 ok history-read 7 c1
      """),
    followed(
      .held, of: "a reader that begins anew",
      "w0 info history-read 2 c1\nw0 info history-read 9 c1\nw0 ok merge 10 c1\nw0 ok history-read 10 c1"),
    followed(
      .held, of: "two readers",
      """
      w0 ok merge 1 c1
      w1 ok merge 1 c2
      w0 ok merge 2 c1
      w0 ok history-read 2 c1
      w1 ok history-read 1 c2
      """),
    followed(
      .held, of: "a token that is kept again", "w0 ok merge 1 c1\nw0 ok history-read 1 c1\nw0 ok history-read 1 c1"),
    followed(.notExercised, of: "no transaction", "w0 info history-read 4 c1\nw0 ok history-read 4 c1"),
    followed(
      .violated, .missedTransaction, of: "a token beyond what was merged",
      "w0 info history-read 4 c1\nw0 ok merge 5 c1\nw0 ok history-read 6 c1"),
    followed(
      .violated, .missedTransaction, of: "another reader's merge",
      "w0 ok merge 1 c1\nw0 ok history-read 1 c1\nw1 ok history-read 1 c2"),
    followed(.violated, .repeatedTransaction, of: "a transaction merged twice", "w0 ok merge 1 c1\nw0 ok merge 1 c1"),
    followed(.violated, .misorderedTransaction, of: "the later one first", "w0 ok merge 2 c1\nw0 ok merge 1 c1"),
    followed(.violated, .ownTransactionMerged, of: "one's own save merged", "w0 ok merge 1 = 1 c1"),
    followed(
      .violated, .tokenRegression, of: "an older token kept last",
      "w0 ok merge 1 c1\nw0 ok merge 2 c1\nw0 ok history-read 2 c1\nw0 ok history-read 1 c1"),
    followed(
      .violated, .earlyPurge, of: "history that is gone",
      "w0 info history-read 4 c1\nw0 fail history-read 4 = 134301 c1"),
  ]
}
