/// The steps of all clients of all processes together, one after the other, in each round of `store-lifecycle`.
enum LifecycleStep: String, CaseIterable, Sendable {
  /// All make one store at once.
  case create
  /// All open and close one store, again and again, and add rows.
  case reopen
  /// The clients of all processes but one open stores of their own.
  case hold
  /// Those of the one process put others in their place.
  case exchange
  /// The clients that have the old ones open save.
  case save
  /// The others check that the new stores have their makers' rows.
  case look
  /// All close stores and copy them, and copy the one that all write to.
  case copy
}
