import Foundation
import Measuring

/// How late main's latest tick was for each strategy as a load grew, and up to which load it kept up with its frames.
package struct LoadCurve: Sendable, Hashable {
  /// A frame at 60 Hz.
  package static let frameSeconds = 1.0 / 60
  /// Fewest loads that are a curve.
  private static let loadsMin = 2

  /// One strategy.
  package struct Line: Sendable, Hashable {
    package let strategy: String
    /// The median of its cells' latest ticks at each load, in seconds; nil where it did not hold, or was not measured.
    package let stalls: [Double?]

    /// How many of the loads, from the least on, it kept main within a frame.
    package var kept: Int { stalls.prefix { $0.map { $0 <= LoadCurve.frameSeconds } ?? false }.count }
  }

  /// The option that grows.
  package let key: String
  /// Its values, least first.
  package let loads: [Double]
  /// Best first.
  package let lines: [Line]
  /// Fewest cells that a strategy has at one load.
  private let repetitions: Int

  /// The curve of a scenario's cells; nil where no number grows in all strategies alike.
  package init?(_ cells: [CellRow]) {
    let partitions = ConclusionGroup.partitions(cells)
    let settings = partitions.map { Self.setting($0.setting) }
    guard partitions.count >= Self.loadsMin, let key = settings.first??.key,
      settings.allSatisfy({ $0?.key == key })
    else { return nil }
    let ordered = zip(settings.compactMap { $0?.value }, partitions.map(\.groups)).sorted { $0.0 < $1.0 }
    precondition(ordered.count == partitions.count, "each setting is a load")
    var names: [String] = []
    for (_, groups) in ordered { for group in groups where !names.contains(group.name) { names.append(group.name) } }
    let metric = ComparedMetric("main_stall_ns_max")
    let lines = names.map { name in
      Line(
        strategy: name,
        stalls: ordered.map { _, groups in
          guard let group = groups.first(where: { $0.name == name }), group.isHeld else { return nil }
          return Statistics.median(group.rows.compactMap(metric.value)).map { $0 / 1e9 }
        })
    }
    self.key = key
    loads = ordered.map(\.0)
    repetitions = partitions.flatMap(\.groups).map(\.rows.count).min() ?? 0
    self.lines = lines.sorted { one, other in
      let last = { (line: Line) in line.stalls.compactMap(\.self).last ?? .infinity }
      return one.kept == other.kept ? last(one) < last(other) : one.kept > other.kept
    }
  }

  /// `importers=4` as a key and a number; nil for several keys, or another value.
  private static func setting(_ text: String) -> (key: String, value: Double)? {
    let parts = text.split(separator: "=")
    guard parts.count == 2, !text.contains(" "), let value = Double(parts[1]) else { return nil }
    return (String(parts[0]), value)
  }

  /// The table, with the knee of each strategy, and a sentence.
  package func text(width: Int?) -> String {
    let frame = HumanReadable.seconds(Self.frameSeconds)
    var table = TextTable(
      columns: [.left("main's latest tick")] + loads.map { .right("\(key)=\(Self.number($0))") }
        + [.right("within \(frame) to")])
    for line in lines {
      let cells = line.stalls.map { stall -> TextTable.Cell in
        let text = stall.map { HumanReadable.seconds($0) } ?? HumanReadable.notMeasured
        return TextTable.Cell(text, (stall ?? .infinity) <= Self.frameSeconds ? .plain : .caution)
      }
      table.append([TextTable.Cell(line.strategy)] + cells + [TextTable.Cell(knee(of: line))])
    }
    return table.rendered(width: width) + "\n" + sentence + "\n"
  }

  /// Which strategies kept main within a frame at the one load of these cells; nil where none was measured.
  package static func frames(_ cells: [CellRow]) -> String? {
    let metric = ComparedMetric("main_stall_ns_max")
    let stalls = ConclusionGroup.partitions(cells).flatMap(\.groups).filter(\.isHeld).compactMap { group in
      Statistics.median(group.rows.compactMap(metric.value)).map { (name: group.name, seconds: $0 / 1e9) }
    }.sorted { $0.seconds < $1.seconds }
    guard !stalls.isEmpty else { return nil }
    let frame = HumanReadable.seconds(frameSeconds)
    func list(_ isWithin: Bool) -> String {
      let names = stalls.filter { ($0.seconds <= frameSeconds) == isWithin }.map {
        "\($0.name) (\(HumanReadable.seconds($0.seconds)))"
      }
      return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
    return "main's latest tick within a frame of \(frame): \(list(true)); later: \(list(false))"
  }

  /// As a person writes it: 4, 0.5.
  private static func number(_ value: Double) -> String { String(format: "%g", value) }

  private func knee(of line: Line) -> String {
    precondition(line.stalls.count == loads.count, "a line has a place for each load")
    switch line.kept {
    case 0: return "none"
    case loads.count: return "all"
    default: return Self.number(loads[line.kept - 1])
    }
  }

  /// The strategy that keeps up longest, or that there are too few repetitions to say.
  package var sentence: String {
    let frame = HumanReadable.seconds(Self.frameSeconds)
    let needed = Statistics.intervalCountMin
    guard repetitions >= needed else {
      return "too few to say how long main stays within a frame of \(frame) (\(repetitions) of \(needed)): "
        + "--repetitions \(needed) or more would decide"
    }
    guard let best = lines.first, best.kept > 0 else { return "no strategy keeps main within a frame of \(frame)" }
    let names = lines.filter { $0.kept == best.kept }.map(\.strategy).joined(separator: ", ")
    let load = "\(key)=\(Self.number(loads[best.kept - 1]))"
    let reach = best.kept == loads.count ? "\(load), the most that was tried" : load
    return "main stays within a frame of \(frame) longest with \(names): up to \(reach)"
  }
}
