import HarnessKit

StrategyRegistry.register(GRDBPoolStrategy.self)
WorkloadRegistry.register(PeerWorkload<RecordsImport>.self)
WorkloadRegistry.register(PeerWorkload<RecordsRequests>.self)
Harness.main()
