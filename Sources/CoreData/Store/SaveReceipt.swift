/// What a store made of a plan once it was committed.
struct SaveReceipt {
  /// In the order of the plan, as are the updated and the deleted ones; with permanent keys, and frozen.
  let inserted: ContiguousArray<SavedRow>
  let updated: ContiguousArray<SavedRow>
  let deleted: ContiguousArray<SavedRow>
  /// Rows beside those of the plan that derived attributes gave new values.
  let derived: [Row]
}
