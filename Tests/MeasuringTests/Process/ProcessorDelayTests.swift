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

  // Version 1 has a hierarchy of its own for the freezer, version 2 one for all, which beside version 1 is below another folder.
  @Test(arguments: [
    ("3:cpu:/a\n7:freezer:/a/b\n0::/", "/sys/fs/cgroup/freezer/a/b/freezer.state", "FROZEN\n", true),
    ("7:freezer:/a/b", "/sys/fs/cgroup/freezer/a/b/freezer.state", "THAWED\n", false),
    ("7:freezer:/a/b", "/sys/fs/cgroup/freezer/a/freezer.state", "FROZEN\n", false),
    ("0::/app.slice", "/sys/fs/cgroup/app.slice/cgroup.events", "populated 1\nfrozen 1\n", true),
    ("0::/app.slice", "/sys/fs/cgroup/app.slice/cgroup.events", "populated 1\nfrozen 0\n", false),
    ("0::/app.slice", "/sys/fs/cgroup/unified/app.slice/cgroup.events", "populated 1\nfrozen 1\n", true),
    ("3:cpu:/a", "/sys/fs/cgroup/a/cgroup.events", "frozen 1\n", false),
    ("", "", "", false),
  ])
  func aProcessIsFrozenWithItsControlGroup(groups: String, path: String, text: String, isFrozen: Bool) {
    #expect(ProcessorDelay.isFrozen(groups: groups) { $0 == path ? text : nil } == isFrozen)
  }
}
