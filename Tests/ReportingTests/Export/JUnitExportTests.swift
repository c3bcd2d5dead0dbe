import Foundation
import FoundationXML
import Testing

@testable import Checking
@testable import Reporting

struct JUnitExportTests {
  /// The elements, as a parser sees them.
  final class Reader: NSObject, XMLParserDelegate {
    struct Element {
      var name: String
      var attributes: [String: String]
      var text = ""
      var parent: String
    }
    var elements: [Element] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      let parent = open.last.map { elements[$0].name } ?? ""
      open.append(elements.count)
      elements.append(Element(name: name, attributes: attributes, parent: parent))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      if let last = open.last { elements[last].text += string }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { open.removeLast() }
  }

  static func read(_ text: String) throws -> [Reader.Element] {
    let parser = XMLParser(data: Data(text.utf8))
    let reader = Reader()
    parser.delegate = reader
    // parse() is true for text that is not XML; the error tells.
    _ = parser.parse()
    if let error = parser.parserError { throw error }
    return reader.elements
  }

  @Test func theReaderFindsFaults() { #expect(throws: (any Error).self) { try Self.read("<a><b></a>") } }

  @Test func aCellIsACaseAndTheSumsAreRight() throws {
    let elements = try Self.read(JUnitExport.text(of: ExportSamples.results()))
    let cases = elements.filter { $0.name == "testcase" }
    #expect(cases.count == 5)
    #expect(Set(cases.map { "\($0.attributes["classname"] ?? "") \($0.attributes["name"] ?? "")" }).count == 5)
    #expect(cases.first?.attributes["classname"] == "contextbench.import")
    #expect(cases.first?.attributes["name"] == "parent-child save_every=500 error seed 1 repetition 0")
    for name in ["testsuites", "testsuite"] {
      let sums = try #require(elements.first { $0.name == name }?.attributes)
      #expect(
        sums["tests"] == "5" && sums["failures"] == "1" && sums["errors"] == "2" && sums["time"] == "3.5",
        "\(sums)")
    }
    #expect(elements.count { $0.name == "failure" } == 1 && elements.count { $0.name == "error" } == 2)
    #expect(!elements.contains { $0.name == "skipped" })
  }

  @Test func whatWasSeenSurvives() throws {
    let elements = try Self.read(JUnitExport.text(of: ExportSamples.results()))
    let failure = try #require(elements.first { $0.name == "failure" })
    let hostile = ExportSamples.hostile.replacing("\u{1}", with: "\u{FFFD}")
    #expect(failure.attributes["message"]?.hasPrefix("lost-record: \(hostile): \(hostile); expected deadlock") == true)
    #expect(failure.attributes["type"] == "lost-record")
    #expect(failure.text.contains(hostile) && failure.text.contains("contextbench run 'a b.yml'"))
    let errors = elements.filter { $0.name == "error" }.map { $0.attributes["type"] }
    #expect(errors == ["not exercised", "not run"])
    let output = elements.filter { $0.name == "system-out" && $0.parent == "testcase" }.map(\.text)
    #expect(output.count == 2)
    #expect(output[0].hasPrefix("warning: main-thread-stall") && output[1].hasPrefix("expected: deadlock"))
  }

  /// The order and the attributes that the strictest of the schemas asks for.
  @Test func elementsComeInTheOrderOfTheSchema() throws {
    let elements = try Self.read(JUnitExport.text(of: ExportSamples.results()))
    let suite = try #require(elements.first { $0.name == "testsuite" })
    for name in ["id", "name", "package", "hostname", "timestamp", "tests", "failures", "errors", "time"] {
      #expect(suite.attributes[name]?.isEmpty == false, "\(name)")
    }
    #expect(suite.attributes["timestamp"] == "2026-01-02T03:04:05")
    let children = elements.filter { $0.parent == "testsuite" }.map(\.name)
    #expect(children == ["properties"] + Array(repeating: "testcase", count: 5) + ["system-out", "system-err"])
    let first = elements.firstIndex { $0.name == "testcase" } ?? 0
    for testCase in elements[first...] where testCase.name == "testcase" {
      #expect(testCase.attributes["time"].flatMap(Double.init) != nil)
    }
  }

  /// The elements and attributes that `junit-10.xsd` of Jenkins' xUnit plugin knows, and those that it wants.
  private struct Rule {
    var parents: Set<String>
    var attributes: Set<String> = []
    var required: Set<String> = []
  }

  private static let rules: [String: Rule] = [
    "testsuites": Rule(parents: [""], attributes: ["name", "time", "tests", "failures", "errors"]),
    "testsuite": Rule(
      parents: ["testsuites", "testsuite"],
      attributes: ["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"],
      required: ["name", "tests", "failures", "errors"]),
    "properties": Rule(parents: ["testsuite"]), "property": Rule(parents: ["properties"], required: ["name", "value"]),
    "testcase": Rule(parents: ["testsuite"], attributes: ["time", "classname", "group"], required: ["name"]),
    "failure": Rule(parents: ["testcase"], attributes: ["type", "message"]),
    "error": Rule(parents: ["testcase"], attributes: ["type", "message"]),
    "system-out": Rule(parents: ["testcase", "testsuite"]), "system-err": Rule(parents: ["testcase", "testsuite"]),
  ]

  @Test(arguments: [0.000012, 0, 123_456.5]) func theFileFollowsTheSchemaOfJenkins(seconds: Double) throws {
    var results = ExportSamples.results()
    for cell in results.results.cells.indices { results.results.cells[cell].untilVisibleSeconds = seconds }
    results.outcome = RunOutcome(.violated, harnessFailures: ["the floor failed"])
    for element in try Self.read(JUnitExport.text(of: results)) {
      let rule = try #require(Self.rules[element.name], "\(element.name) is no element of it")
      let names = Set(element.attributes.keys)
      #expect(rule.parents.contains(element.parent), "\(element.name) in \(element.parent)")
      #expect(names.isSubset(of: rule.attributes.union(rule.required)) && names.isSuperset(of: rule.required))
      if let time = element.attributes["time"] {
        #expect(time.wholeMatch(of: /[0-9]*(\.[0-9]*)?/) != nil, "\(time)")
        #expect(time.contains("."))
      }
    }
  }
}
