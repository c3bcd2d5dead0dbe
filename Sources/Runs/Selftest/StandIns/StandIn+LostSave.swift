import Checking

extension StandIn {
  /// The store of a killed process, without the last saves that were acknowledged as durable.
  static let lostSave = StandIn(
    "lost-save", of: .durabilityLost,
    broken: { seed in evidence(acknowledged: Int64(seed) + 20, inStore: Int64(seed) + 19 - Int64(seed % 3)) },
    sound: { seed in evidence(acknowledged: Int64(seed) + 20, inStore: Int64(seed) + 20) })

  private static func evidence(acknowledged: Int64, inStore last: Int64) -> Evidence {
    let chain = SaveChain(client: 0, acknowledged: acknowledged, begun: acknowledged + 1)
    let audit = ChainAudit([chain], ChainContents(after: last, of: chain))
    return Evidence(
      history: .failure(Unusable("a stand-in without a history")),
      store: .failure(Unusable("a stand-in without rows")), reports: .success(audit.violations),
      parameters: CheckParameters(layout: .notebook, counters: CheckCounters(\.killsInSaves, 1)))
  }
}
