/// Wall time that the main thread spent outside its run loop's wait, working or blocked, in seconds.
package struct MainThreadTime: Codable, Sendable, Equatable {
  /// Everything but `harness`: the strategy's and the workload's share.
  package var total: Double
  /// Taking over what a child context saved.
  package var push: Double
  /// Saving on main.
  package var save: Double
  /// Merging other contexts' saves.
  package var merge: Double
  /// Serving fetches and faults of child contexts.
  package var fetch: Double
  /// Editing objects on main, for strategies that do.
  package var edit: Double
  /// The harness's own ticks and page fetches; not part of `total`.
  package var harness: Double

  /// No time spent yet.
  package init() {
    total = 0
    push = 0
    save = 0
    merge = 0
    fetch = 0
    edit = 0
    harness = 0
  }
}
