/// The work of the main thread.
public enum MainThreadCategory: Int, Sendable, CaseIterable {
  /// Anything that is not one of the others; part of the total only.
  case other
  /// Merging the saves of child contexts.
  case push
  /// Saving.
  case save
  /// Merging another context's save.
  case merge
  /// Serving a child context's fetches and faults.
  case fetch
  /// Editing objects.
  case edit
  /// The harness's own ticks and page fetches; not part of the total.
  case harness
}
