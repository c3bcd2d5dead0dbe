import CoreData

extension Hazard {
  /// A screen that is closed leaves its observer behind.
  static let observerLeak = Hazard(
    "observer-leak", "A screen observes main's changes, and its observer is never removed.",
    careless: { stage in try visit(stage, forgetting: .observer) },
    careful: { stage in try visit(stage, forgetting: nil) })

  /// A screen that is closed leaves its context behind: it holds a block, and the block holds the screen.
  static let contextLeak = Hazard(
    "context-leak", "A screen with a context of its own holds itself by a block, and never ends.",
    careless: { stage in try visit(stage, forgetting: .context) },
    careful: { stage in try visit(stage, forgetting: nil) })

  /// Opens a screen, has something change while it is open, and closes it.
  private static func visit(_ stage: HazardStage, forgetting forgotten: Screen.Possession?) throws {
    let screen = try stage.onMain { Handed(try Screen(stage)) }
    try stage.session.strategy.makeWriter(named: "writer").write {
      try stage.note(in: $0).revision += 1
    } reached: { _ in
    }
    try stage.onMain { screen.value.close(forgetting: forgotten) }
  }

  /// A screen for editing one note; on main.
  private final class Screen {
    /// Parts that a screen has to release.
    enum Possession: Sendable {
      case observer
      case context
    }

    private let environment: StrategyEnvironment
    private let draft: NSManagedObjectContext
    private let note: Note
    private var observer: (any NSObjectProtocol)?
    private var refresh: (() -> Void)?

    init(_ stage: HazardStage) throws {
      environment = stage.session.environment
      draft = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      draft.parent = stage.main
      // Not adopted: a context that the harness did not hand out is watched as well.
      draft.name = "draft"
      note = try stage.note(in: draft)
      // The screen holds the block, and the block the screen.
      refresh = { self.draft.refresh(self.note, mergeChanges: true) }
      let screen = Handed(Weak(self))
      observer = environment.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: stage.main
      ) { _ in
        screen.value.screen?.refresh?()
      }
    }

    func close(forgetting forgotten: Possession?) {
      if forgotten != .observer, let observer { environment.removeObserver(observer) }
      if forgotten != .context { refresh = nil }
    }
  }

  /// A screen that an observer does not hold.
  private struct Weak {
    weak var screen: Screen?

    init(_ screen: Screen) { self.screen = screen }
  }
}
