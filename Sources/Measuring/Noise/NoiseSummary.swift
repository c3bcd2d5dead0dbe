/// How quiet the machine was over a span of time: other work on it, and the time of a fixed piece of work.
package struct NoiseSummary: Codable, Sendable, Hashable {
  /// Times that the probe was run.
  package var probes: Int
  /// Shortest time of the probe.
  package var probeSecondsMin: Double?
  /// Median time of the probe.
  package var probeSecondsMedian: Double?
  /// 90 % of the probes took no longer.
  package var probeSecondsP90: Double?
  /// Share of the machine's CPU time that processes outside of the run had, in 0…1.
  package var othersShare: Double?
  /// Share of the machine's CPU time that its host gave to others, in 0…1.
  package var stealShare: Double?
  /// Processes that wanted to run, mean of a minute: before the run at its start, of a run the median of its cells.
  package var loadAverage: Double?
  /// Share of ten seconds in which some task had to wait for a processor, in 0…1; before the run.
  package var processorPressure: Double?

  /// The machine as it is now, by `probes` runs of the probe: some 30 ms.
  package static func now(probes: Int = 30) -> NoiseSummary {
    precondition(probes > 0, "a summary is of at least one probe")
    let times = (0..<probes).map { _ in NoiseProbe.seconds(runs: 1) }
    var summary = NoiseSummary(probes: times)
    summary.loadAverage = MachineActivity.loadAverage()
    summary.processorPressure = MachineActivity.processorPressure()
    return summary
  }

  /// The machine while cells ran.
  ///
  /// - Parameters:
  ///   - cells: noise and wall seconds of each cell.
  ///   - cores: processors of the machine.
  package init(cells: [(noise: CellNoise, seconds: Double)], cores: Int) {
    self.init(probes: cells.compactMap(\.noise.probeSeconds))
    let available = cells.reduce(0) { $0 + $1.seconds } * Double(max(1, cores))
    func share(_ part: (CellNoise) -> Double?) -> Double? {
      let parts = cells.compactMap { part($0.noise) }
      return available > 0 && parts.count == cells.count ? parts.reduce(0, +) / available : nil
    }
    othersShare = share(\.othersCPUSeconds)
    stealShare = share(\.stealSeconds)
    loadAverage = Statistics.median(cells.compactMap(\.noise.loadAverage))
  }

  private init(probes times: [Double]) {
    probes = times.count
    probeSecondsMin = times.min()
    probeSecondsMedian = Statistics.median(times)
    probeSecondsP90 = Statistics.quantile(0.9, of: times)
  }

  /// How far the slower probes are above the median, as a share of it: the noise that processor and other processes put
  /// on anything that takes as long.
  package var probeSpread: Double? {
    guard let probeSecondsP90, let probeSecondsMedian, probeSecondsMedian > 0 else { return nil }
    return probeSecondsP90 / probeSecondsMedian - 1
  }
}
