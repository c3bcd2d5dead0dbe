import Foundation
import Testing

@testable import Reporting

struct JSONExportTests {
  @Test func theSchemasOfTheseTestsFindFaults() throws {
    let schema = try JSONSchema(
      """
      {"type": "object", "required": ["a"], "additionalProperties": false,
       "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"type": "array", "items": {"enum": ["x"]}}}}
      """)
    #expect(try schema.problems(#"{"a": 1, "b": ["x"]}"#).isEmpty)
    for wrong in [
      #"{}"#, #"{"a": 0}"#, #"{"a": true}"#, #"{"a": 1.5}"#, #"{"a": 1, "b": ["y"]}"#, #"{"a": 1, "c": 1}"#, "[]",
    ] {
      #expect(try !schema.problems(wrong).isEmpty, "\(wrong)")
    }
  }

  @Test func theDocumentHasEveryRowWithNumbersAsNumbers() throws {
    let text = try JSONExport.text(of: ExportSamples.results())
    let rows = #"{"type": "array", "items": {"type": "object", "required": ["schema_version", "run", "cell", "seed"]}}"#
    let schema = try JSONSchema(
      """
      {"type": "object", "additionalProperties": false,
       "required": ["schema_version", "manifest", "plan", "conclusions", "cells", "timings", "violations"],
       "properties": {"schema_version": {"type": "integer"},
         "manifest": {"type": "object", "required": ["run", "version", "machine", "started_at"]},
         "conclusions": {"type": "array", "items": {"type": "object", "required": ["scenario", "rankings", "risks"]}},
         "outcome": {"type": "object", "required": ["exit_code", "meaning"]},
         "plan": {"type": "object", "required": ["blocks", "block_count", "cell_count", "scenarios"]},
         "cells": \(rows), "timings": \(rows), "violations": \(rows)}}
      """)
    #expect(try schema.problems(text) == [])
    let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let cells = try #require(document["cells"] as? [[String: Any]])
    #expect(cells.map { $0["cell"] as? Int } == [0, 1, 2, 3])
    #expect(cells[0]["until_durable_s"] as? Double == 0.5)
    #expect(cells[0]["allocated_bytes"] as? Int == 1 << 40)
    #expect(cells[0]["rss_bytes_peak"] is NSNull)
    #expect(Set(cells[0].keys) == Set(Table<CellRow>.cells.columns.map(\.name)))
    let violations = try #require(document["violations"] as? [[String: Any]])
    #expect(violations[0]["seen"] as? String == ExportSamples.hostile)
    #expect(violations[0]["expected"] as? Bool == false)
  }
}
