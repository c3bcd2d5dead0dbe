import Scheduling

/// The strategies that scenarios can name.
///
/// The shipped ones are registered from the start. Others are added once, before the run:
/// ```swift
/// StrategyRegistry.register(MyStrategy.self)
/// ```
public enum StrategyRegistry {
  private static let shipped: [any Strategy.Type] = [
    NotificationMergeStrategy.self,
    ParentChildStrategy.self,
    SingleBackgroundWriterStrategy.self,
    MainOnlyStrategy.self,
    NestedWriterStrategy.self,
    BackgroundTaskStrategy.self,
    ThreadConfinementStrategy.self,
    DedicatedThreadStrategy.self,
    CoordinatorPerThreadStrategy.self,
    HistoryMergeStrategy.self,
    BatchImportStrategy.self,
    ModelActorStrategy.self,
    AsyncPerformStrategy.self,
  ]

  // Filled before the first run and only read afterwards; the lock makes late registrations harmless.
  private static let registered = Locked<[any Strategy.Type]>(shipped)

  /// Adds a strategy.
  ///
  /// - Precondition: No strategy of that name is registered.
  public static func register(_ strategy: any Strategy.Type) {
    registered.withLock { list in
      precondition(!list.contains { $0.name == strategy.name }, "strategy \(strategy.name) is registered twice")
      list.append(strategy)
    }
  }

  /// All strategies, in the order of their registration.
  public static var all: [any Strategy.Type] { registered.withLock { $0 } }

  /// The strategy of that name, if there is one.
  public static func strategy(named name: String) -> (any Strategy.Type)? { all.first { $0.name == name } }
}
