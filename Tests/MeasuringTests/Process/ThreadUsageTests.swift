import Testing

@testable import Measuring

struct ThreadUsageTests {
  @Test func aThreadThatComputesUsesItsClock() throws {
    let usage = try #require(ThreadUsage.ofCurrentThread())
    let start = try #require(usage.cpuNanoseconds())
    let deadline = MonotonicClock.threadCPU() + 5_000_000
    while MonotonicClock.threadCPU() < deadline {}
    let end = try #require(usage.cpuNanoseconds())
    #expect(end - start >= 5_000_000)
    #expect(end <= MonotonicClock.threadCPU())
  }
}
