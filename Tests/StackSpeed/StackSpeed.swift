import CoreData
import HarnessKit
import Measuring

/// The costs of the stack: an import and a fetch beside the same rows in C, and single uses of an object.
///
/// `swift run -c release StackSpeed [ROUNDS]`; a release build on an idle machine. The first round warms up and is left
/// out; floor and stack take turns.
@main enum StackSpeed {
  static func main() throws {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
    guard rounds > 0 else { return print("usage: StackSpeed [ROUNDS], at least 1") }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("stack-speed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    #if DEBUG
      print("a debug build: these numbers say nothing; use -c release")
    #endif
    print("\(rounds) rounds; median (least to most)")
    try ImportSpeed(directory: directory).measure(rounds: rounds)
    try FetchSpeed(directory: try folder("fetch", in: directory)).measure(rounds: rounds)
    try UseSpeed(directory: directory).measure(rounds: rounds)
  }
}

/// A new folder in `directory`.
private func folder(_ name: String, in directory: URL) throws -> URL {
  let folder = directory.appendingPathComponent(name)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

/// The values of one quantity over the rounds.
struct Series {
  let name: String
  let unit: String
  private(set) var values: [Double] = []

  init(_ name: String, _ unit: String) { (self.name, self.unit) = (name, unit) }

  mutating func add(_ value: Double) { values.append(value) }

  var last: Double { values.last ?? 0 }

  var median: Double { Statistics.median(values) ?? 0 }

  /// Prints the line; the first value warmed up.
  func report(dropping warmUps: Int = 1) {
    let kept = Array(values.dropFirst(warmUps))
    let numbers = [Statistics.median(kept), kept.min(), kept.max()].map { String(format: "%.2f", $0 ?? 0) }
    print("\(name): \(numbers[0]) \(unit) (\(numbers[1]) to \(numbers[2]))")
  }
}

/// Seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = MonotonicClock.now()
  try body()
  return Double(MonotonicClock.now() - start) / 1e9
}
