/// A kind of change to the source text.
package enum MutationOperator: String, Codable, CaseIterable, Sendable {
  /// A call or an assignment is left out.
  case removedStatement = "removed-statement"
  /// A call that wakes or notifies another is left out.
  case droppedNotification = "dropped-notification"
  /// A section runs without its lock.
  case droppedLock = "dropped-lock"
  /// A condition is the opposite.
  case negatedCondition = "negated-condition"
  /// `<` is `<=`, `&&` is `||`, `==` is `!=`.
  case relaxedCondition = "relaxed-condition"
  /// One of several conditions is left out.
  case droppedClause = "dropped-clause"
  /// The body of an `if` never runs.
  case skippedBranch = "skipped-branch"
  /// A number is one too large, `+` is `-`, a range ends one earlier.
  case offByOne = "off-by-one"
  /// Two arguments of a call change places.
  case swappedArguments = "swapped-arguments"
  /// Another set: the union and the difference, what was inserted and what was updated, the first and the last.
  case wrongSet = "wrong-set"
  /// A case of a `switch` is not seen, or does nothing.
  case skippedCase = "skipped-case"
  /// A function, a `guard` or a loop ends at once.
  case earlyReturn = "early-return"
  /// A change that mended something is taken back.
  case reversedChange = "reversed-change"
}
