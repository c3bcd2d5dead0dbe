/// The result of a plan once it was committed.
package struct SaveReceipt {
  /// In the order of the plan, as are the updated and the deleted ones; with permanent keys, and frozen.
  package let inserted: ContiguousArray<SavedRow>
  package let updated: ContiguousArray<SavedRow>
  package let deleted: ContiguousArray<SavedRow>
  /// Rows beside those of the plan that derived attributes gave new values.
  package let derived: [Row]
}
