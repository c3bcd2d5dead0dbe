import Testing

@testable import Reporting

struct OpenMetricsExportTests {
  /// Reads the text by the format's grammar.
  ///
  /// - SeeAlso: OpenMetrics 1.0, "ABNF".
  struct Reader {
    struct Sample {
      let family: String
      let labels: [String: String]
      let value: Double
    }
    struct Wrong: Error {
      let line: String
      let what: String
    }
    private(set) var samples: [Sample] = []
    private(set) var types: [String: String] = [:]

    init(_ text: String) throws {
      guard text.hasSuffix("# EOF\n") else { throw Wrong(line: String(text.suffix(20)), what: "no end") }
      var family = ""
      var seen: Set<String> = []
      for line in text.dropLast(6).split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        if words[0] == "#" {
          guard words.count == 4, words[2].wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil else {
            throw Wrong(line: String(line), what: "no metadata")
          }
          switch words[1] {
          case "TYPE":
            family = words[2]
            guard seen.insert(family).inserted, ["gauge", "info"].contains(words[3]) else {
              throw Wrong(line: String(line), what: "a family twice, or of an unknown type")
            }
            types[family] = words[3]
          case "UNIT":
            guard words[2] == family, family.hasSuffix("_" + words[3]) else {
              throw Wrong(line: String(line), what: "a unit that is not the name's end")
            }
          case "HELP":
            guard words[2] == family, !words[3].isEmpty else { throw Wrong(line: String(line), what: "no help") }
          default: throw Wrong(line: String(line), what: "unknown metadata")
          }
        } else {
          samples.append(try Self.sample(String(line), of: family, isInfo: types[family] == "info"))
        }
      }
      let identities = samples.map { "\($0.family)\($0.labels.sorted { $0.key < $1.key })" }
      guard Set(identities).count == identities.count else { throw Wrong(line: "", what: "a sample twice") }
    }

    private static func sample(_ line: String, of family: String, isInfo: Bool) throws -> Sample {
      let pattern =
        /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)+)\})? ([-+.0-9eE]+)/
      guard let match = line.wholeMatch(of: pattern), match.1 == (isInfo ? family + "_info" : family),
        let value = Double(match.3)
      else { throw Wrong(line: line, what: "no sample of \(family)") }
      var labels: [String: String] = [:]
      for label in (match.2.map(String.init) ?? "").matches(of: /([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/) {
        guard labels.updateValue(String(label.2), forKey: String(label.1)) == nil else {
          throw Wrong(line: line, what: "a label twice")
        }
      }
      return Sample(family: family, labels: labels, value: value)
    }
  }

  private func read(_ results: ExportedResults = ExportSamples.results()) throws -> Reader {
    try Reader(OpenMetricsExport.text(of: results))
  }

  @Test(arguments: [
    "# TYPE a gauge\na 1\n", "# TYPE a gauge\nb 1\n# EOF\n", "# TYPE a gauge\na{x=\"\n\"} 1\n# EOF\n",
    "# TYPE a gauge\n# UNIT a seconds\n# EOF\n", "# TYPE a gauge\n# TYPE a gauge\n# EOF\n",
    "# TYPE a gauge\na 1\na 2\n# EOF\n",
  ])
  func theReaderFindsFaults(text: String) { #expect(throws: Reader.Wrong.self) { try Reader(text) } }

  @Test func mediansAreInBaseUnits() throws {
    let reader = try read()
    func value(_ family: String, _ labels: [String: String] = [:]) -> Double? {
      reader.samples.first { sample in
        sample.family == family && sample.labels["strategy"] == "parent-child"
          && labels.allSatisfy { sample.labels[$0.key] == $0.value }
      }?.value
    }
    #expect(value("contextbench_until_durable_seconds") == 1)
    #expect(value("contextbench_main_stall_max_seconds") == 0.0015)
    #expect(value("contextbench_allocated_bytes") == Double(1 << 40))
    #expect(value("contextbench_floor_ratio") == 4)
    #expect(value("contextbench_latency_seconds", ["operation": "save", "percentile": "50"]) == 0.002)
    #expect(value("contextbench_operations", ["outcome": "failed"]) == 2)
    #expect(value("contextbench_cells", ["ending": "passed"]) == 2)
    #expect(value("contextbench_violations", ["kind": "deadlock", "expected": "yes"]) == 1)
  }

  @Test func theRunIsAnInfo() throws {
    let reader = try read()
    #expect(reader.types["contextbench_run"] == "info")
    #expect(reader.samples.first?.labels["run"] == "20260102-030405-00ff")
    #expect(reader.samples.first?.value == 1)
  }

  @Test func everyMeasureHasAFamilyOfItsOwn() {
    let names = Measure.all.map(\.name)
    #expect(Set(names).count == names.count && names.contains("until_durable_s"))
  }

  @Test func labelsAreEscaped() throws {
    var results = ExportSamples.results()
    for index in results.results.cells.indices { results.results.cells[index].key.options = ExportSamples.hostile }
    let sample = try #require(read(results).samples.first { $0.family == "contextbench_cells" })
    #expect(
      sample.labels["options"]
        == ExportSamples.hostile.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
          "\n", with: "\\n"))
  }
}
