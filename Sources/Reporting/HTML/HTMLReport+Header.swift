import Checking
import Foundation

extension HTMLReport {
  /// How the run ended and its facts.
  var header: HTML {
    let verdicts = Dictionary(grouping: results.cells) { JudgedVerdict($0.verdict, ending: $0.ending) }
    let badges = verdicts.sorted { Self.rank($0.key) < Self.rank($1.key) }.map { verdict, cells in
      HTML.element("span", ["class": "badge \(Self.mark(verdict.emphasis))"], "\(cells.count) \(verdict.text)")
    }
    return .element(
      "header",
      [
        .element("p", ["class": "eyebrow"], "contextbench \(manifest.command)"), .element("h1", manifest.run),
        .element("p", ["class": "badges"], exitBadge + badges),
      ] + reasons)
  }

  private var exitBadge: [HTML] {
    guard let outcome else { return [] }
    let mark = Self.mark(outcome.exitCode == .passed ? .good : outcome.exitCode == .inconclusive ? .caution : .bad)
    let text = "exit code \(outcome.exitCode.rawValue): \(outcome.exitCode.name)"
    return [.element("span", ["class": "badge \(mark)", "title": outcome.meaning], text)]
  }

  /// Why the run ended where no cell says so, and why cells did not pass besides violations.
  private var reasons: [HTML] {
    ((outcome?.reasons ?? []) + CellReason.all(results.cells, results.violations).map(\.sentence))
      .map { .element("p", ["class": "bad"], $0) }
  }

  /// Failures come first.
  private static func rank(_ verdict: JudgedVerdict) -> (Int, String) {
    let order: [Emphasis] = [.bad, .caution, .good]
    return (order.firstIndex(of: verdict.emphasis) ?? order.count, verdict.text)
  }

  /// The CSS class of this emphasis.
  static func mark(_ emphasis: Emphasis?) -> String {
    switch emphasis {
    case .good: "good"
    case .bad: "bad"
    default: "caution"
    }
  }

  /// The run's facts: start, command, machine and so on.
  var facts: HTML {
    let machine = manifest.machine
    var facts: [(String, String?)] = [
      ("Started", manifest.startedAt.formatted(.iso8601)),
      ("Command", (["contextbench"] + manifest.arguments.map(Self.shellWord)).joined(separator: " ")),
      ("Version", [manifest.version, manifest.executableSummary].compactMap(\.self).joined(separator: ", ")),
      ("Seeds", Self.shortened(manifest.seeds.map(String.init))),
      ("Processor", "\(machine.cores) × \(machine.cpuModel ?? machine.architecture)"),
      ("Memory", machine.memoryBytes.map { HumanReadable.bytes($0) }),
      ("System", [machine.operatingSystem, machine.kernel].compactMap(\.self).joined(separator: ", ")),
      ("Load at the start", machine.loadAverage.map { HumanReadable.significant($0) }), ("Noise", noise),
      ("Governor", machine.governor), ("Allocator", manifest.allocator), ("Stores on", manifest.storeFileSystem),
    ]
    facts += [("Libraries", Self.pairs(manifest.libraries)), ("SQLite's options", Self.pairs(manifest.sqliteOptions))]
    let items = facts.flatMap { name, value -> [HTML] in
      guard let value, !value.isEmpty else { return [] }
      return [.element("dt", name), .element("dd", value)]
    }
    return .element("dl", ["class": "facts"], items)
  }

  /// How much of the machine others had while the cells ran.
  private var noise: String? {
    guard let noise = manifest.noiseDuring else { return nil }
    func percent(_ share: Double?) -> String? { share.map { HumanReadable.significant($0 * 100) + " %" } }
    let parts = [
      percent(noise.othersShare).map { "other processes had \($0) of the processors" },
      percent(noise.stealShare).map { "the host took \($0)" },
      percent(noise.probeSpread).map { "a fixed piece of work took up to \($0) longer" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  private static let seedsMax = 8

  private static func shortened(_ words: [String]) -> String {
    words.prefix(seedsMax).joined(separator: ", ") + (words.count > seedsMax ? ", … (\(words.count))" : "")
  }

  private static func pairs(_ pairs: [String: String]) -> String {
    pairs.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// The word as a shell reads it back.
  static func shellWord(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "-_./=,:+@%".utf8.contains(byte)
    }
    return plain && !word.isEmpty ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
