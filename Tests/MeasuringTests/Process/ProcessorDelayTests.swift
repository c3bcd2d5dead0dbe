import Foundation
import Testing

@testable import Measuring

struct ProcessorDelayTests {
  @Test func ofAProcessTheThreadCountsThatWaitedLongest() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("task-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (thread, delay) in [(1, 500), (2, 71_250), (3, 20)] {
      let own = folder.appendingPathComponent("\(thread)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      try Data("9000 \(delay) 4\n".utf8).write(to: own.appendingPathComponent("schedstat"))
      try Data("worker\n".utf8).write(to: own.appendingPathComponent("comm"))
    }
    let threads = ProcessorReading.ThreadCounters.all(in: folder.path)
    #expect(threads.values.map(\.runDelayNanoseconds).max() == 71_250 && threads.count == 3)
  }

  @Test func aProcessThatIsNotThereWaitedForNothing() {
    #expect(ProcessorDelay.nanosecondsByThread(ofProcess: 0).isEmpty)
  }
}
