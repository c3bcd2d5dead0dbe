import HarnessKit

StrategyRegistry.register(RefreshingStrategy.self)
StrategyRegistry.register(AutomaticStrategy.self)
WorkloadRegistry.register(RenameWorkload.self)
Harness.main()
