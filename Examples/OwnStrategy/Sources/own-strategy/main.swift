import HarnessKit

StrategyRegistry.register(RefreshingStrategy.self)
WorkloadRegistry.register(RenameWorkload.self)
Harness.main()
