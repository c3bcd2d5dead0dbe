import Testing

@testable import Measuring

struct NoiseSummaryTests {
  private func noise(probe: Double?, others: Double?, steal: Double? = 0, load: Double? = 1) -> CellNoise {
    var noise = CellNoise()
    noise.probeSeconds = probe
    noise.othersCPUSeconds = others
    noise.stealSeconds = steal
    noise.loadAverage = load
    return noise
  }

  @Test func sharesAreOfWhatTheProcessorsHad() {
    let summary = NoiseSummary(
      cells: [(noise(probe: 1, others: 0.5, steal: 0.1), 2), (noise(probe: 2, others: 0.3), 2)], cores: 2)
    #expect(summary.othersShare == 0.1)
    #expect(summary.stealShare == 0.0125)
    #expect(summary.probes == 2)
    #expect(summary.probeSecondsMin == 1)
    #expect(summary.probeSecondsMedian == 1.5)
    #expect(summary.loadAverage == 1)
  }

  @Test func whatACellDidNotMeasureIsNotMeasuredForAll() {
    let summary = NoiseSummary(
      cells: [(noise(probe: nil, others: nil), 2), (noise(probe: 2, others: 0.3), 2)], cores: 2)
    #expect(summary.othersShare == nil)
    #expect(summary.probes == 1)
    #expect(NoiseSummary(cells: [], cores: 2).othersShare == nil)
  }

  @Test func theSpreadIsThatOfTheSlowerProbes() throws {
    let cells = (0..<11).map { (noise(probe: $0 < 9 ? 1 : 2, others: 0), 1.0) }
    #expect(NoiseSummary(cells: cells, cores: 1).probeSpread == 1)
    let even = (0..<11).map { _ in (noise(probe: 1, others: 0), 1.0) }
    #expect(NoiseSummary(cells: even, cores: 1).probeSpread == 0)
  }

  @Test func theProbeTakesTime() {
    #expect(NoiseProbe.seconds(runs: 1) > 0)
    let now = NoiseSummary.now(probes: 3)
    #expect(now.probes == 3)
    #expect(now.probeSpread ?? -1 >= 0)
  }
}
