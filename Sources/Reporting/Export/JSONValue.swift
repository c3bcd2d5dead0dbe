import Foundation

/// A JSON value, for documents in a form that another tool prescribes.
package indirect enum JSONValue: Encodable, Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
  case text(String)
  case integer(Int)
  case unsigned(UInt64)
  case number(Double)
  case flag(Bool)
  case null
  case array([JSONValue])
  case object([String: JSONValue])

  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .flag(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }

  /// A value of a row; null when it was not measured.
  init(_ value: ColumnValue?) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let integer): self = .integer(integer)
    case .unsigned(let unsigned): self = .unsigned(unsigned)
    case .number(let number): self = number.isFinite ? .number(number) : .null
    case .flag(let flag): self = .flag(flag)
    case nil: self = .null
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let integer): try container.encode(integer)
    case .unsigned(let unsigned): try container.encode(unsigned)
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .null: try container.encodeNil()
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  /// The text of a document: sorted keys, two blanks a level, a line end at the end.
  static func document(_ value: some Encodable, path: String) throws(ReportingError) -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    } catch {
      throw ReportingError(
        path: path, cause: "cannot be encoded as JSON: \(error)", remedy: "Report this as a fault of contextbench")
    }
  }
}
