import Foundation

extension BinaryPropertyList {
  /// The outermost dictionary of a property list, whether binary or text; nil where the bytes are none.
  ///
  /// Foundation's reader of binary lists is not asked: on Linux a broken one, such as one with a set in place of an array,
  /// ends the process. Here a set is an array.
  package static func dictionary(_ data: Data) -> [String: Any]? {
    guard data.starts(with: Array("bplist".utf8)) else {
      return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any]
    }
    guard let list = try? read(data), case .dictionary(let members) = list else { return nil }
    return members.compactMapValues(\.foundation)
  }
}

extension BinaryPropertyList.Value {
  /// The value as Foundation's reader gives it; nil for values that only archives have.
  fileprivate var foundation: Any? {
    switch self {
    case .null, .uid: nil
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let value): value
    case .string(let value): value
    case .array(let values): values.compactMap(\.foundation)
    case .dictionary(let members): members.compactMapValues(\.foundation)
    }
  }
}
