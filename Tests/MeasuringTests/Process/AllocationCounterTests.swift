import Testing

@testable import Measuring

struct AllocationCounterTests {
  /// One test, since the counter is installed once a process.
  @Test func measuresNothingUntilACounterIsInstalled() {
    #expect(AllocationCounter.processBytes == nil)
    #expect(AllocationCounter.threadBytes == nil)
    #expect(AllocationCounter.processAllocations == nil)
    AllocationCounter.install(process: { 7 }, thread: { 3 }, allocations: { 2 })
    #expect(AllocationCounter.processBytes == 7)
    #expect(AllocationCounter.threadBytes == 3)
    #expect(AllocationCounter.processAllocations == 2)
  }
}
