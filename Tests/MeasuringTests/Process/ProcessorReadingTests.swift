import Testing

@testable import Measuring

struct ProcessorReadingTests {
  @Test func aThreadsCountersAreRead() {
    let counters = ProcessorReading.ThreadCounters(schedstat: "1234 56 7\n", comm: "worker\n")
    #expect(counters == .init(name: "worker", cpuNanoseconds: 1_234, runDelayNanoseconds: 56))
    #expect(ProcessorReading.ThreadCounters(schedstat: "1234 56", comm: "worker") == nil)
    #expect(ProcessorReading.ThreadCounters(schedstat: "a b c", comm: "worker") == nil)
  }

  @Test(arguments: [("oot.default-qos", true), ("-qos.overcommit", true), ("importers", false)])
  func threadsOfDispatchAreKnownByTheirNames(name: String, isOfDispatch: Bool) throws {
    let counters = try #require(ProcessorReading.ThreadCounters(schedstat: "1 2 3", comm: name))
    #expect(counters.isOfDispatch == isOfDispatch)
  }

  @Test func whatAllThreadsUseIsTheSumOfTheirKinds() throws {
    let before = ProcessorReading.current()
    var sum = 0.0
    for number in 1...2_000_000 { sum += 1 / Double(number) }
    #expect(sum > 1)
    let usage = ProcessorReading.current().usage(since: before)
    let total = try #require(usage.totalSeconds)
    #expect(total > 0)
    if let main = usage.mainSeconds, let worker = usage.workerSeconds, let queue = usage.queueSeconds {
      #expect(main + worker + queue >= total - 1e-6)
    }
  }
}
