import Foundation
import Measuring
import Testing

@testable import Runs

struct KeptFilesTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

  private func write(_ name: String, bytes: Int) throws {
    let url = URL(fileURLWithPath: folder + "/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Numbers, which take about half of it compressed.
    var text = ""
    var number: UInt64 = 1
    while text.utf8.count < bytes {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += String(number)
    }
    try Data(text.utf8.prefix(bytes)).write(to: url)
  }

  private func bound(_ bytesMax: Int) throws -> Set<String> {
    try KeptFiles(in: folder).bound(bytesMax: bytesMax)
    return Set(try FileManager.default.subpathsOfDirectory(atPath: folder))
  }

  @Test func recordsThatAReadableFileRepeatsAreLeftOut() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("histories/0.bin", bytes: 10)
    #expect(try bound(1_000) == ["histories", "histories/0.bin"], "nothing says the same")
    try write("history.jsonl", bytes: 10)
    #expect(try bound(1_000) == ["history.jsonl"])
  }

  @Test func aLongFileIsCompressedAndReadAsItWas() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["history.jsonl", "order.txt"] { try write(name, bytes: KeptFiles.plainBytesMax + 1) }
    let text = try Data(contentsOf: URL(fileURLWithPath: folder + "/history.jsonl"))
    #expect(try bound(10_000_000) == ["history.jsonl.gz", "order.txt"])
    #expect(GzipFile.contents(of: folder + "/history.jsonl.gz") == text)
  }

  @Test func theLargestFilesAreLeftOutAndNamed() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, bytes) in [("stacks.txt", 300), ("history.jsonl", 900), ("reports.jsonl", 100)] {
      try write(name, bytes: bytes)
    }
    #expect(try bound(400) == ["stacks.txt", "reports.jsonl", KeptFiles.noteName])
    let note = try String(contentsOfFile: folder + "/" + KeptFiles.noteName, encoding: .utf8)
    #expect(note == "history.jsonl: 900 bytes, more than keep allows, which is 400 for all of the cell\n")
  }

  @Test func aDiskThatMayBeTooSmallSaysWhatIsNeeded() {
    let room = DiskRoom(for: "/")
    #expect(room.problem(free: DiskRoom.firstBytes) == nil)
    #expect(room.problem(free: 1_000_000)?.contains("has 1.00 MB free, and the next cell may need 16.8 MB. ") == true)
    room.record(bytes: 40_000_000)
    let problem = room.problem(free: 49_000_000)
    #expect(problem?.contains("may need 50.0 MB; the largest so far took 40.0 MB. ") == true, "\(problem ?? "")")
    #expect(room.problem(free: 50_000_000) == nil)
  }
}
