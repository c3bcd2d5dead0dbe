import Testing

@testable import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

struct PooledLatencyTests {
  private let pool = PooledLatency([[(10, 2), (20, 2)], [(20, 1), (30, 3)], [(40, 2)]])

  private func latency(_ share: Double, without cell: Int? = nil) -> Double? {
    pool.logarithm(share, without: cell).map { exp($0).rounded() }
  }

  /// By hand, of 10 10 20 20 20 30 30 30 40 40.
  @Test func aPercentileIsOfAllCells() {
    #expect(pool.count == 10 && pool.cellCount == 3)
    #expect([0, 0.2, 0.21, 0.5, 0.51, 0.8, 0.81, 1].map { latency($0) } == [10, 10, 20, 20, 30, 30, 40, 40])
  }

  /// 20 30 30 30 40 40; 10 10 20 20 40 40; 10 10 20 20 20 30 30 30.
  @Test func aCellIsLeftOut() {
    #expect((0...2).map { latency(0.5, without: $0) } == [30, 20, 20])
    #expect((0...2).map { latency(1, without: $0) } == [40, 40, 30])
  }

  @Test func whatHasNoLatenciesHasNoPercentile() {
    #expect(PooledLatency([]).logarithm(0.5) == nil)
    #expect(PooledLatency([[(7, 1)]]).logarithm(0.5, without: 0) == nil)
    #expect(PooledLatency([[(7, 1)], []]).variance(0.5) == nil)
  }
}
