/// OpenMetrics text for Prometheus and its relatives: medians of the cells as gauges, in base units.
///
/// - SeeAlso: OpenMetrics 1.0, "Text format".
package enum OpenMetricsExport: ExportFormat {
  package static let name = "openmetrics"
  package static let summary = "OpenMetrics 1.0 text: medians as gauges, in seconds and bytes"

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    let groups = CellGroup.groups(of: results)
    var families = [run(results.manifest)] + Measure.all.map { family($0, groups) }
    families += [latencies(groups), operations(groups), cells(groups), violations(groups)]
    if let outcome = results.outcome { families += outcomeFamilies(outcome) }
    return families.filter { !$0.samples.isEmpty }.map(\.text).joined() + "# EOF\n"
  }

  private static func run(_ manifest: Manifest) -> MetricFamily {
    var family = MetricFamily("contextbench_run", type: "info", help: "the run that these numbers are from")
    let labels = [
      ("run", manifest.run), ("version", manifest.version), ("revision", manifest.revision ?? ""),
      ("sha256", manifest.executable?.sha256 ?? ""),
      ("kernel", manifest.machine.kernel), ("cpu", manifest.machine.cpuModel ?? ""),
    ]
    family.add(labels, 1, suffix: "_info")
    return family
  }

  private static func family(_ measure: Measure, _ groups: [CellGroup]) -> MetricFamily {
    let unit = MetricUnit(measure.unit)
    var words = measure.name.split(separator: "_").map(String.init)
    if let old = measure.unit { words.removeAll { $0 == old } }
    var family = MetricFamily(
      "contextbench_" + words.joined(separator: "_"), unit: unit.name, help: measure.meaning + ", median of the cells")
    for group in groups {
      guard let spread = measure.spread(group.cells) else { continue }
      family.add(labels(group), unit.inBaseUnits(spread.median))
    }
    return family
  }

  private static func latencies(_ groups: [CellGroup]) -> MetricFamily {
    let unit = MetricUnit("ns")
    var family = MetricFamily(
      "contextbench_latency", unit: unit.name,
      help: "this share of the operations of a cell took no longer, median of the cells")
    for group in groups {
      for (operation, rows) in LatencyMeasure.operations(of: group) {
        for percentile in LatencyMeasure.percentiles {
          guard let percent = percentile.percent, let spread = Spread(rows.compactMap(percentile.nanoseconds)) else {
            continue
          }
          family.add(
            labels(group) + labels(operation) + [("percentile", percent)], unit.inBaseUnits(spread.median))
        }
      }
    }
    return family
  }

  private static func operations(_ groups: [CellGroup]) -> MetricFamily {
    var family = MetricFamily("contextbench_operations", help: "operations of all cells together")
    for group in groups {
      for (operation, rows) in LatencyMeasure.operations(of: group) {
        let done = rows.reduce(0) { $0 + Double($1.summary.count) }
        let failed = rows.reduce(0) { $0 + Double($1.summary.failed) }
        family.add(labels(group) + labels(operation) + [("outcome", "ok")], done)
        family.add(labels(group) + labels(operation) + [("outcome", "failed")], failed)
      }
    }
    return family
  }

  private static func cells(_ groups: [CellGroup]) -> MetricFamily {
    var family = MetricFamily("contextbench_cells", help: "cells by how they count for the run")
    for group in groups {
      for ending in RunEnding.allCases {
        family.add(labels(group) + [("ending", ending.rawValue)], Double(group.cells.count { $0.ending == ending }))
      }
    }
    return family
  }

  private static func violations(_ groups: [CellGroup]) -> MetricFamily {
    struct Kind: Hashable {
      let kind: String
      let severity: String
      let expected: String
    }
    var family = MetricFamily("contextbench_violations", help: "violations of all cells together")
    for group in groups {
      let kinds = Dictionary(grouping: group.violations) {
        Kind(
          kind: $0.violation.kind.rawValue, severity: $0.violation.severity.rawValue,
          expected: $0.isExpected ? "yes" : "no")
      }
      let sorted = kinds.sorted {
        ($0.key.kind, $0.key.severity, $0.key.expected) < ($1.key.kind, $1.key.severity, $1.key.expected)
      }
      for (kind, rows) in sorted {
        family.add(
          labels(group) + [("kind", kind.kind), ("severity", kind.severity), ("expected", kind.expected)],
          Double(rows.reduce(0) { $0 + $1.violation.count }))
      }
    }
    return family
  }

  private static func labels(_ group: CellGroup) -> [(String, String)] {
    [
      ("scenario", group.scenario), ("strategy", group.strategy), ("options", group.options),
      ("merge_policy", group.mergePolicy),
    ]
  }

  private static func labels(_ operation: LatencyMeasure.Operation) -> [(String, String)] {
    [("phase", operation.phase), ("operation", operation.operation), ("role", operation.role)]
  }
}
