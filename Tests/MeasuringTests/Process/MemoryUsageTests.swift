import Testing

@testable import Measuring

struct MemoryUsageTests {
  @Test func readsTheSizesOfAStatusFile() {
    let usage = MemoryUsage(status: "Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\nThreads:\t3\n")
    #expect(usage?.residentBytes == 1_048_576)
    #expect(usage?.residentBytesPeak == 2_097_152)
  }

  @Test(arguments: ["", "VmRSS: 12 kB\n", "VmRSS: 12 MB\nVmHWM: 13 MB\n", "VmRSS: x kB\nVmHWM: 13 kB\n"])
  func whatIsNotUnderstoodIsNotMeasured(status: String) {
    #expect(MemoryUsage(status: status) == nil)
  }

  @Test func thePeakSeesMemoryThatWasGivenBack() throws {
    let bytes = 64 << 20
    let during = try usage(whileTouching: bytes)
    let after = try #require(MemoryUsage.current())
    // The kernel adds up its counters of single processors now and then only.
    let slackBytes: UInt64 = 1 << 20
    #expect(during.residentBytes >= bytes)
    #expect(after.residentBytesPeak + slackBytes >= during.residentBytes)
  }

  private func usage(whileTouching bytes: Int) throws -> MemoryUsage {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 4096)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 1, count: bytes)
    return try #require(MemoryUsage.current())
  }
}
