import CoreData

/// The values that attributes are given: a few of each type, among them those that are easily confused.
enum DrawnValue {
  /// Values of a type.
  static let count = 8

  /// The value of a number from 0 below ``count``.
  static func value(_ type: NSAttributeType, _ index: Int) -> Any {
    precondition(0..<count ~= index, "a value's number is below the count of values")
    switch type {
    case .integer16AttributeType: return [0, 1, -1, 7, 100, 32_767, -32_768, 2][index]
    case .integer32AttributeType: return [0, 1, -1, 7, 100, 2_147_483_647, -2_147_483_648, 2][index]
    case .integer64AttributeType: return [0, 1, -1, 7, 9_007_199_254_740_993, Int.max, Int.min, 2][index]
    case .doubleAttributeType: return ([0, 0.5, -0.1, 1e300, 1.0 / 3, 7, 1e-300, 2] as [Double])[index]
    case .floatAttributeType: return ([0, 0.5, -0.25, 1.5e30, 0.125, 7, -1, 2] as [Float])[index]
    case .booleanAttributeType: return index.isMultiple(of: 2)
    case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: [0, 0.5, -1, 7e8, 1e9, 86_400, 3, 2][index])
    case .binaryDataAttributeType: return data(index)
    case .UUIDAttributeType: return UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(index)))
    case .URIAttributeType: return URL(string: "https://example.org/\(index)") ?? URL(fileURLWithPath: "/\(index)")
    case .decimalAttributeType:
      return NSDecimalNumber(string: ["0", "0.1", "-0.1", "123456789012.5", "1e14", "7", "2.50", "2"][index])
    default: return ["", "alpha", "Alpha", "alphabet", "beta", "äpfel", "z%_*?", "naïve cafe\u{301}"][index]
    }
  }

  /// Empty, short, and larger than external data in a row may be.
  private static func data(_ index: Int) -> Data {
    index == 7 ? Data(repeating: 7, count: 150_000) : Data((0..<index * 3).map { UInt8($0) })
  }

  /// A value as text, the same for equal values of a type and for no others; nil for no value.
  static func text(_ value: Any?) -> String? {
    switch value {
    case nil, is NSNull: nil
    case let value as NSDecimalNumber: value.stringValue
    case let value as Bool: value ? "1" : "0"
    case let value as Int: "\(value)"
    case let value as Int64: "\(value)"
    case let value as Int32: "\(value)"
    case let value as Int16: "\(value)"
    case let value as Double: "\(value)"
    case let value as Float: "\(Double(value))"
    case let value as Date: "\(value.timeIntervalSinceReferenceDate)"
    case let value as Data:
      value.count > 64 ? "\(value.count) bytes of \(value[value.startIndex])" : value.base64EncodedString()
    case let value as UUID: value.uuidString
    case let value as URL: value.absoluteString
    case let value as String: value
    case let value as NSNumber: "\(value)"
    case .some(let value): "\(value)"
    }
  }

  /// The text of a stored number of a type, which may come as any class of number.
  static func text(_ value: Any?, _ type: NSAttributeType) -> String? {
    guard let number = value as? NSNumber, !(value is NSDecimalNumber) else { return text(value) }
    return switch type {
    case .doubleAttributeType, .floatAttributeType: "\(number.doubleValue)"
    case .booleanAttributeType: number.boolValue ? "1" : "0"
    default: "\(number.int64Value)"
    }
  }
}
