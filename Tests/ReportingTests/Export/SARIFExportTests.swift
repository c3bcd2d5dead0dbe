import Foundation
import Testing

@testable import Checking
@testable import Reporting

struct SARIFExportTests {
  /// The rules of SARIF 2.1.0 for the objects that are written, in our words: no other properties, the required ones there.
  static let schema = """
    {"type": "object", "required": ["version", "runs"], "additionalProperties": false, "properties": {
      "$schema": {"type": "string"}, "version": {"enum": ["2.1.0"]},
      "runs": {"type": "array", "items": {"$ref": "#/definitions/run"}}},
     "definitions": {
      "message": {"type": "object", "required": ["text"], "additionalProperties": false,
        "properties": {"text": {"type": "string"}}},
      "run": {"type": "object", "required": ["tool"], "additionalProperties": false, "properties": {
        "tool": {"type": "object", "required": ["driver"], "additionalProperties": false,
          "properties": {"driver": {"$ref": "#/definitions/driver"}}},
        "automationDetails": {"type": "object", "additionalProperties": false,
          "properties": {"id": {"type": "string"}}},
        "invocations": {"type": "array", "items": {"type": "object", "required": ["executionSuccessful"],
          "additionalProperties": false, "properties": {"executionSuccessful": {"type": "boolean"},
            "arguments": {"type": "array", "items": {"type": "string"}},
            "exitCode": {"type": "integer"}, "exitCodeDescription": {"type": "string"},
            "toolExecutionNotifications": {"type": "array", "items": {"type": "object", "required": ["message"],
              "additionalProperties": false, "properties": {"level": {"$ref": "#/definitions/level"},
                "message": {"$ref": "#/definitions/message"}}}},
            "startTimeUtc": {"type": "string", "pattern": "^[0-9-]+T[0-9:]+Z$"}}}},
        "originalUriBaseIds": {"type": "object",
          "additionalProperties": {"$ref": "#/definitions/artifactLocation"}},
        "results": {"type": "array", "items": {"$ref": "#/definitions/result"}}}},
      "driver": {"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
        "name": {"type": "string"}, "version": {"type": "string"},
        "rules": {"type": "array", "items": {"type": "object", "required": ["id"], "additionalProperties": false,
          "properties": {"id": {"type": "string"}, "shortDescription": {"$ref": "#/definitions/message"},
            "help": {"$ref": "#/definitions/message"}, "defaultConfiguration": {"type": "object",
              "additionalProperties": false, "properties": {"level": {"$ref": "#/definitions/level"}}}}}}}},
      "level": {"enum": ["none", "note", "warning", "error"]},
      "artifactLocation": {"type": "object", "additionalProperties": false, "properties": {
        "uri": {"type": "string", "pattern": "^[A-Za-z0-9%/._~:!$&'()*+,;=@?-]+$"}, "uriBaseId": {"type": "string"},
        "description": {"$ref": "#/definitions/message"}}},
      "physicalLocation": {"type": "object", "required": ["artifactLocation"], "additionalProperties": false,
        "properties": {"artifactLocation": {"$ref": "#/definitions/artifactLocation"},
          "region": {"type": "object", "additionalProperties": false,
            "properties": {"startLine": {"type": "integer", "minimum": 1}}}}},
      "location": {"type": "object", "additionalProperties": false, "properties": {
        "message": {"$ref": "#/definitions/message"}, "physicalLocation": {"$ref": "#/definitions/physicalLocation"},
        "logicalLocations": {"type": "array", "items": {"type": "object", "additionalProperties": false,
          "properties": {"name": {"type": "string"}, "fullyQualifiedName": {"type": "string"}}}}}},
      "threadFlow": {"type": "object", "required": ["locations"], "additionalProperties": false, "properties": {
        "id": {"type": "string"}, "locations": {"type": "array", "minItems": 1, "items": {"type": "object",
          "additionalProperties": false, "properties": {"location": {"$ref": "#/definitions/location"},
            "executionOrder": {"type": "integer", "minimum": 0},
            "importance": {"enum": ["important", "essential", "unimportant"]}}}}}},
      "result": {"type": "object", "required": ["message"], "additionalProperties": false, "properties": {
        "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"$ref": "#/definitions/level"}, "message": {"$ref": "#/definitions/message"},
        "locations": {"type": "array", "items": {"$ref": "#/definitions/location"}},
        "occurrenceCount": {"type": "integer", "minimum": 1},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "properties": {"type": "object"},
        "suppressions": {"type": "array", "items": {"type": "object", "required": ["kind"],
          "additionalProperties": false, "properties": {"kind": {"enum": ["inSource", "external"]},
            "justification": {"type": "string"}}}},
        "codeFlows": {"type": "array", "items": {"type": "object", "required": ["threadFlows"],
          "additionalProperties": false, "properties": {"threadFlows": {"type": "array", "minItems": 1,
            "items": {"$ref": "#/definitions/threadFlow"}}}}}}}}}
    """

  struct Log: Decodable {
    struct Message: Decodable { let text: String }
    struct Location: Decodable {
      struct Physical: Decodable {
        struct Artifact: Decodable { let uri: String }
        struct Region: Decodable { let startLine: Int }
        let artifactLocation: Artifact
        let region: Region
      }
      let message: Message?
      let physicalLocation: Physical
    }
    struct Result: Decodable {
      struct Flows: Decodable {
        struct Flow: Decodable {
          struct Step: Decodable {
            let location: Location
            let executionOrder: Int?
            let importance: String
          }
          let id: String
          let locations: [Step]
        }
        let threadFlows: [Flow]
      }
      struct Suppression: Decodable { let kind: String }
      let ruleId: String
      let ruleIndex: Int
      let level: String
      let message: Message
      let locations: [Location]
      let suppressions: [Suppression]?
      let codeFlows: [Flows]?
    }
    struct Run: Decodable {
      struct Invocation: Decodable {
        let executionSuccessful: Bool
        let exitCode: Int?
        let toolExecutionNotifications: [Notification]?
      }
      struct Notification: Decodable { let message: Message }
      struct Tool: Decodable {
        struct Driver: Decodable {
          struct Rule: Decodable { let id: String }
          let rules: [Rule]
        }
        let driver: Driver
      }
      let tool: Tool
      let invocations: [Invocation]
      let results: [Result]
    }
    let runs: [Run]
  }

  /// The run of a log that keeps to the schema.
  static func run(_ results: ExportedResults) throws -> Log.Run {
    let text = try SARIFExport.text(of: results)
    #expect(try JSONSchema(schema).problems(text) == [])
    return try #require(JSONDecoder().decode(Log.self, from: Data(text.utf8)).runs.first)
  }

  @Test func aResultIsAViolationOfItsRule() throws {
    let run = try Self.run(ExportSamples.results())
    #expect(run.results.map(\.ruleId) == ["lost-record", "main-thread-stall", "deadlock", "not-passed", "not-passed"])
    #expect(run.results.map { run.tool.driver.rules[$0.ruleIndex].id } == run.results.map(\.ruleId))
    #expect(run.results.map(\.level) == ["error", "warning", "note", "error", "error"])
    #expect(run.results.map { $0.suppressions?.count ?? 0 } == [0, 0, 1, 0, 0])
    #expect(run.results[0].message.text.contains(ExportSamples.hostile))
    #expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri == "Scenarios/import,%201.yml")
  }

  @Test func aDeadlockHasAThreadFlowForEachWhoWaits() throws {
    let run = try Self.run(ExportSamples.results())
    let flows = try #require(run.results[2].codeFlows?.first?.threadFlows)
    #expect(flows.map(\.id) == ["main", "writer's thread"])
    #expect(flows[0].locations[0].location.message?.text == "main waits for block 1 of writer")
    #expect(run.results[0].codeFlows == nil, "there is no history")
  }

  @Test func aKeptHistoryBecomesAThreadFlowAQueue() throws {
    let folder = try TemporaryFolder()
    func line(_ step: Int, _ type: String, process: Int, key: Int, context: String?) -> String {
      let context = context.map { ",\"context\":\"\($0)\"" } ?? ""
      return "{\"index\":\(step),\"time\":\(step * 10),\"type\":\"\(type)\",\"process\":\(process),\"f\":\"insert\","
        + "\"value\":{\"entity\":\"Note\",\"key\":\(key),\"count\":2,\"value\":0}\(context)}\n"
    }
    try folder.write(
      line(0, "invoke", process: 1, key: 7, context: nil)
        + line(1, "ok", process: 1, key: 7, context: "importer 1")
        + line(2, "invoke", process: 2, key: 100, context: "importer 2")
        + line(3, "ok", process: 0, key: 8, context: nil)
        + line(4, "ok", process: 1, key: 1, context: "importer 1"),
      to: "histories/2/history.jsonl")
    let flows = try #require(
      Self.run(ExportSamples.results(folder: folder.path)).results[0].codeFlows?.first?.threadFlows)
    // Step 2 is about other rows, and so is step 4.
    #expect(flows.map(\.id) == ["importer 1", "main"])
    #expect(flows.map { $0.locations.map { $0.location.physicalLocation.region.startLine } } == [[1, 2], [4]])
    #expect(flows.map { $0.locations.map(\.executionOrder) } == [[0, 1], [2]])
    #expect(flows[1].locations[0].importance == "essential")
    #expect(flows[1].locations[0].location.message?.text == "step 3, 30 ns: insert ok of Note 8…9")
  }

  @Test func theStepOfATransactionIsItsLine() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"index":0,"time":0,"type":"invoke","process":1,"f":"txn","value":[["append",1,2]]}
      {"index":4,"time":5,"type":"ok","process":1,"f":"txn","value":[["append",1,2]]}

      """, to: "histories/2/history.jsonl")
    let flows = try #require(
      Self.run(ExportSamples.results(folder: folder.path)).results[0].codeFlows?.first?.threadFlows)
    #expect(flows.map(\.id) == ["worker 1"])
    #expect(flows[0].locations.map(\.importance) == ["essential", "important"])
  }

  @Test func waitsAndEntriesAreTakenApart() {
    let order = "A is entered inside B on main; at x < y; B is entered inside A on worker 1"
    #expect(WaitLink.links(in: order).map(\.queue) == ["main", "worker 1"])
    #expect(WaitLink.links(in: order)[0].text == "A is entered inside B on main; at x < y")
  }

  @Test(arguments: [
    ("a b.yml", "a%20b.yml"), ("x:y.yml", "x%3Ay.yml"), ("/tmp/a b.yml", "file:///tmp/a%20b.yml"),
    ("노.yml", "%EB%85%B8.yml"),
  ])
  func pathsAreReferences(path: String, reference: String) { #expect(SARIFExport.reference(path) == reference) }
}
