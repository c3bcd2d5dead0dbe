import RowStore

/// Keys of Foundation's classes that predicates ask for.
enum FoundationKeys {
  /// The value; nil where the key is none of the object's.
  static func value(_ target: Any, _ key: String) -> (value: Any?, Void)? {
    let value: Any? =
      switch target {
      case let text as String: self.value(text, key)
      case let data as Data where key == "length": NSNumber(value: data.count)
      case let url as URL: self.value(url, key)
      case let uuid as UUID where key == "UUIDString": uuid.uuidString
      case let date as Date where key == "timeIntervalSinceReferenceDate":
        NSNumber(value: date.timeIntervalSinceReferenceDate)
      case let date as Date where key == "timeIntervalSince1970": NSNumber(value: date.timeIntervalSince1970)
      case let number as NSNumber: self.value(number, key)
      default: nil
      }
    // A URL has parts that are nil.
    return value.map { (StoredProperties.unwrapped($0), ()) } ?? (key == "description" ? ("\(target)", ()) : nil)
  }

  private static func value(_ text: String, _ key: String) -> Any? {
    switch key {
    case "length": NSNumber(value: text.utf16.count)
    case "uppercaseString": text.uppercased()
    case "lowercaseString": text.lowercased()
    case "capitalizedString": text.capitalized
    case "intValue", "integerValue", "longLongValue": NSNumber(value: Int64((text as NSString).longLongValue))
    case "doubleValue", "floatValue": NSNumber(value: (text as NSString).doubleValue)
    case "boolValue": NSNumber(value: (text as NSString).boolValue)
    default: nil
    }
  }

  private static func value(_ url: URL, _ key: String) -> Any? {
    switch key {
    case "absoluteString": url.absoluteString
    case "path": url.path
    case "lastPathComponent": url.lastPathComponent
    case "pathExtension": url.pathExtension
    case "host": url.host as Any
    case "scheme": url.scheme as Any
    default: nil
    }
  }

  private static func value(_ number: NSNumber, _ key: String) -> Any? {
    switch key {
    case "intValue", "integerValue", "longLongValue": NSNumber(value: number.int64Value)
    case "doubleValue": NSNumber(value: number.doubleValue)
    case "floatValue": NSNumber(value: number.floatValue)
    // Foundation on Linux has a fraction below 1 for false.
    case "boolValue": NSNumber(value: number.doubleValue != 0)
    case "stringValue": NumberText.text(number) ?? number.stringValue
    default: nil
    }
  }
}
