import Foundation

/// Holds JSON documents against a schema: the words of JSON Schema that the schemas of these tests use.
///
/// - SeeAlso: JSON Schema, draft 7, "Validation".
struct JSONSchema {
  private let root: [String: Any]

  private struct Unusable: Error {}

  init(_ text: String) throws {
    guard let root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else { throw Unusable() }
    self.root = root
  }

  /// The problems of a document, each with its place; empty when it is valid.
  func problems(_ document: String) throws -> [String] {
    check(try JSONSerialization.jsonObject(with: Data(document.utf8), options: .fragmentsAllowed), root, "$")
  }

  private func check(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      guard let target = resolve(reference) else { return ["\(place): no \(reference)"] }
      return check(value, target, place)
    }
    var problems: [String] = []
    if let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map({ [$0] }),
      !types.contains(where: { Self.isOf($0, value) })
    {
      return ["\(place): is not \(types.joined(separator: " or "))"]
    }
    if let allowed = schema["enum"] as? [String], !allowed.contains(value as? String ?? "") {
      problems.append("\(place): \(value) is not allowed")
    }
    if let least = schema["minimum"] as? Double, let number = value as? Double, number < least {
      problems.append("\(place): \(number) is below \(least)")
    }
    if let pattern = schema["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      problems.append("\(place): \(text) does not match \(pattern)")
    }
    if let object = value as? [String: Any] { problems += checkObject(object, schema, place) }
    if let array = value as? [Any] {
      if let least = schema["minItems"] as? Int, array.count < least { problems.append("\(place): is too short") }
      if let items = schema["items"] as? [String: Any] {
        for (index, item) in array.enumerated() { problems += check(item, items, "\(place)[\(index)]") }
      }
    }
    return problems
  }

  private func checkObject(_ object: [String: Any], _ schema: [String: Any], _ place: String) -> [String] {
    var problems = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
      .map { "\(place): \($0) is missing" }
    let known = schema["properties"] as? [String: [String: Any]] ?? [:]
    for (key, value) in object {
      if let property = known[key] {
        problems += check(value, property, "\(place).\(key)")
      } else if let other = schema["additionalProperties"] as? [String: Any] {
        problems += check(value, other, "\(place).\(key)")
      } else if schema["additionalProperties"] as? Bool == false {
        problems.append("\(place): \(key) is not known")
      }
    }
    return problems
  }

  private func resolve(_ reference: String) -> [String: Any]? {
    reference.dropFirst(2).split(separator: "/").reduce(root as [String: Any]?) { $0?[String($1)] as? [String: Any] }
  }

  private static func isOf(_ type: String, _ value: Any) -> Bool {
    // A JSON boolean is a number to Foundation too, of one byte.
    let isBoolean = (value as? NSNumber).map { $0.objCType.pointee == CChar(UInt8(ascii: "c")) } ?? false
    switch type {
    case "object": return value is [String: Any]
    case "array": return value is [Any]
    case "string": return value is String
    case "boolean": return isBoolean
    case "null": return value is NSNull
    case "integer":
      return !isBoolean && (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } ?? false
    case "number": return !isBoolean && value is NSNumber
    default: return false
    }
  }
}
