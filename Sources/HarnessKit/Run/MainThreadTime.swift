/// Wall time that the main thread spent outside its run loop's wait, working or blocked, in seconds.
public struct MainThreadTime: Codable, Sendable, Equatable {
  /// Everything but `harness`: the strategy's and the workload's share.
  public var total: Double
  /// Taking over what a child context saved.
  public var push: Double
  /// Saving on main.
  public var save: Double
  /// Merging other contexts' saves.
  public var merge: Double
  /// Serving fetches and faults of child contexts.
  public var fetch: Double
  /// Editing objects on main, for strategies that do.
  public var edit: Double
  /// The harness's own ticks and page fetches; not part of `total`.
  public var harness: Double

  /// No time spent yet.
  public init() {
    total = 0
    push = 0
    save = 0
    merge = 0
    fetch = 0
    edit = 0
    harness = 0
  }
}
