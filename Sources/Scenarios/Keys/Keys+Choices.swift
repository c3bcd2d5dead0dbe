// The words of keys that have a choice of some.

extension Keys {
  /// The merge policy of every context that saves: the key `merge_policy`.
  public enum MergePolicy: String, CaseIterable, Sendable {
    case error
    case storeTrump = "store-trump"
    case objectTrump = "object-trump"
    case overwrite
    case rollback
  }

  /// When SQLite waits until its writes are on the disk: the key `synchronous`.
  public enum Synchronous: String, CaseIterable, Sendable {
    /// Before the log is copied into the file: after a loss of power the last commits may be gone.
    case normal
    /// At each commit.
    case full
    /// Never.
    case off
  }

  /// How saves reach main: the key `merge`.
  public enum Merge: String, CaseIterable, Sendable {
    /// Main merges by itself.
    case automatic
    /// The merge is enqueued on main.
    case async
    /// The saving thread waits until main has merged, as with `waitUntilDone`.
    case sync
    /// Main never hears of it.
    case none
  }

  /// When the context on the coordinator saves: the key `root_save`.
  public enum RootSave: String, CaseIterable, Sendable {
    case each
    case never
  }

  /// Whether the clients do it the right way, or make the mistake: the key `care`.
  public enum Care: String, CaseIterable, Sendable {
    case careful
    case careless
  }

  /// Whether units of work go to their writers at once, or one by one: the key `units`.
  public enum Units: String, CaseIterable, Sendable {
    case concurrent
    case serial
  }

  /// Where a cell waits a little: the key `jitter_at`.
  public enum JitterPlaces: String, CaseIterable, Sendable {
    case everywhere
    case checkpoints
    case transactions
    case waits
  }
}
