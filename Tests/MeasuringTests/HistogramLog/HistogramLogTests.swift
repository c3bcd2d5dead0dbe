import Histogram
import Scheduling
import Testing

@testable import Measuring

struct HistogramLogTests {
  /// The result of `HdrHistogram(1, 1 << 42, 3)` of the Python package hdrhistogram 0.10.8 for these values.
  private static let values: [(value: UInt64, count: UInt64)] = [
    (0, 1), (1, 2), (1_000, 1), (2_047, 3), (2_048, 1), (4_096, 7), (123_456_789, 1), (1 << 42, 300),
  ]
  private static let encodedByPython =
    "HISTFAAAADV4nJNpmSzMwMAgygABzFCakYGBBcyw/wARYGI5zc+0WoCN6S8/3+a3jEzHPzHeYAEAtBMJiw=="
  private static let bytesByPython =
    "1c849313000000150000000000000003000000000000000100000400000000003ff00000000000000204cb0f02ab100602fd0f0eb3ed0102c7f201d804"

  private func histogram(_ values: [(value: UInt64, count: UInt64)]) -> Histogram<UInt64> {
    var histogram = Histogram<UInt64>(highestTrackableValue: 1 << 42, numberOfSignificantValueDigits: .three)
    for (value, count) in values { histogram.record(value, count: count) }
    return histogram
  }

  @Test func theBytesAreThoseOfAnotherLibrary() {
    let bytes = HistogramEncoding.encoded(histogram(Self.values))
    let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hexadecimal == Self.bytesByPython)
  }

  @Test func whatAnotherLibraryWroteIsRead() throws {
    let read = try HistogramEncoding.histogram(text: Self.encodedByPython)
    #expect(read == histogram(Self.values))
  }

  @Test(arguments: 0..<20)
  func everyHistogramComesBack(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var recorder = LatencyRecorder()
    for _ in 0..<Int.random(in: 0...500, using: &random) {
      recorder.record(random.next() >> UInt64.random(in: 0...63, using: &random))
    }
    let log = HistogramLog(
      comments: ["a\ntest"], startSeconds: 1.5,
      entries: [HistogramLog.Entry(tag: "a/b/c", startSeconds: 1, lengthSeconds: 2.25, latencies: recorder)])
    let read = try HistogramLog(text: log.text)
    let entry = try #require(read.entries.first)
    #expect(entry.latencies.histogram == recorder.histogram, "seed \(seed)")
    #expect(entry.tag == "a/b/c" && entry.startSeconds == 1 && entry.lengthSeconds == 2.25)
    #expect(read.startSeconds == 1.5)
    #expect(read.comments.first == "a test")
  }

  @Test func countsThatDoNotAddUpIn64BitsAreRefused() {
    var bytes = Array(HistogramEncoding.encoded(histogram([(5, 1)])).prefix(HistogramEncoding.headerLength))
    // Five counts of zero, and one of 2⁶³ − 1.
    let counts: [UInt8] = [0x09, 0xfe] + [UInt8](repeating: 0xff, count: 8)
    bytes[7] = UInt8(counts.count)
    bytes += counts
    #expect(throws: HistogramLogError.self) { try HistogramEncoding.decoded(bytes) }
  }

  @Test(arguments: [0, 1 << 60, UInt64.max]) func aLeastValueThatLeavesNoRoomForDigitsIsRefused(lowest: UInt64) {
    var bytes = HistogramEncoding.encoded(histogram([(5, 1)]))
    withUnsafeBytes(of: lowest.bigEndian) { bytes.replaceSubrange(16..<24, with: $0) }
    withUnsafeBytes(of: UInt64.max.bigEndian) { bytes.replaceSubrange(24..<32, with: $0) }
    #expect(throws: HistogramLogError.self) { try HistogramEncoding.decoded(bytes) }
  }

  @Test(arguments: [1, 63, 64, 127, 1 << 20, 1 << 34, 1 << 60])
  func countsOfAnyLengthComeBack(count: UInt64) throws {
    let written = histogram([(5, count), (1 << 30, 1)])
    let read = try HistogramEncoding.histogram(text: HistogramEncoding.text(written))
    #expect(read.countForValue(5) == count)
    #expect(read.countForValue(1 << 30) == 1)
  }

  @Test func theLayoutIsThatOfTheLibrary() {
    var random = SeededRandom(seed: 3)
    let histogram = LatencyRecorder().histogram
    let layout = HistogramLayout(histogram)
    for shift in UInt64(21)...63 {
      let value = random.next() >> shift
      #expect(layout.value(at: layout.index(of: value)) == histogram.lowestEquivalentForValue(value), "\(value)")
    }
  }

  @Test func theFileHasTheHeaderAndOneLineAHistogram() {
    var recorder = LatencyRecorder()
    recorder.record(2_500_000)
    let log = HistogramLog(
      startSeconds: 1_700_000_000.25,
      entries: [HistogramLog.Entry(tag: "import/save/worker", lengthSeconds: 0.5, latencies: recorder)])
    let lines = log.text.split(separator: "\n")
    #expect(
      lines.prefix(3) == [
        "#[Histogram log format version 1.3]", "#[StartTime: 1700000000.250 (seconds since epoch)]",
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"",
      ])
    #expect(lines.count == 4)
    #expect(lines.last?.hasPrefix("Tag=import/save/worker,0.000,0.500,2.501,HISTFAAA") == true)
  }

  @Test func aTagHasNoBlanksAndNoCommas() {
    #expect(HistogramLog.tag(["phase 2", "a,b", "main"]) == "phase-2/a-b/main")
  }

  @Test(arguments: [
    ("Tag=a,0.0,1.0,2.0", "line 1 does not have start, length, maximum and histogram"),
    ("Tag=a,0.0,x,2.0,AAAA", "line 1 does not have start, length, maximum and histogram"),
    ("#[x]\n0,0,0,!", "line 2 has a histogram that is not Base64"),
    ("0,0,0,AAAA", "line 1 ends too early"),
    ("0,0,0,AAAAAAAAAAA=", "line 1 has a histogram that is not compressed, or not of version 2"),
    ("0,0,0,HISTFAAAAAEA", "line 1 has a histogram that cannot be decompressed"),
  ])
  func aDamagedLineIsRefused(text: String, problem: String) {
    #expect(throws: HistogramLogError(problem)) { try HistogramLog(text: text) }
  }

  @Test(arguments: 0..<200)
  func randomDamageIsRefusedOrRead(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var bytes = HistogramEncoding.encoded(histogram(Self.values))
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: HistogramEncoding.headerLength..<bytes.count, using: &random)] = UInt8(
        truncatingIfNeeded: random.next())
    }
    // Whatever it is, the process continues.
    _ = try? HistogramEncoding.decoded(bytes)
  }
}
