extension SQLGenerator {
  /// Values written as parameters; longer lists are one parameter, so that there are few different statements.
  private static let listedMax = 32

  /// SQL that holds where a column has one of the values.
  package mutating func membership(_ column: String, _ set: ConstantSet) -> String {
    var alternatives: [String] = []
    let slots = set.slots.map { $0.canonical(aliases).comparable }
    if slots.count == 1 {
      alternatives.append("\(column) = \(parameter(slots[0]))")
    } else if slots.count <= Self.listedMax, let last = slots.last {
      var places: [String] = []
      for slot in slots { places.append(parameter(slot)) }
      // Up to a power of two, so that there are few different statements.
      var count = 2
      while count < places.count { count *= 2 }
      while places.count < count { places.append(parameter(last)) }
      alternatives.append("\(column) IN (\(places.joined(separator: ", ")))")
    } else {
      for list in JSONList.lists(slots) {
        alternatives.append("\(column) IN (SELECT \(list.value) FROM json_each(\(parameter(list.parameter))))")
      }
    }
    if set.hasNull { alternatives.append("\(column) IS NULL") }
    switch alternatives.count {
    case 0: return constant("0", insteadOf: column)
    case 1: return alternatives[0]
    default: return "(" + alternatives.joined(separator: " OR ") + ")"
    }
  }

  /// A constant where a condition on a column would be; a column that has parameters stays, since they are bound.
  func constant(_ value: String, insteadOf column: String) -> String {
    column.contains("?") ? "CASE WHEN (\(column)) IS NULL THEN \(value) ELSE \(value) END" : value
  }
}

/// Values as a JSON array, with the SQL that makes a value of an element.
private struct JSONList {
  let parameter: SQLParameter
  package let value: String

  /// The lists of integers, of objects, of floating-point numbers, of texts, and of bytes.
  package static func lists(_ slots: [Slot]) -> [JSONList] {
    var (integers, reals, texts, blobs): ([String], [String], [String], [String]) = ([], [], [], [])
    var objects: [RowReference] = []
    var hasZero = false
    for slot in slots {
      switch slot {
      case .null, .boxed: break
      case .integer(let value): integers.append("\(value)")
      case .reference(let reference): objects.append(reference)
      // As bits: exact, infinity included.
      case .real(let value), .date(let value): reals.append("\(Int64(bitPattern: value.bitPattern))")
      case .string(let text):
        texts.append(text)
        hasZero = hasZero || text.utf8.contains(0)
      case .uuid(let uuid): blobs.append(withUnsafeBytes(of: uuid.uuid, hex))
      case .data(let data): blobs.append(data.withUnsafeBytes(hex))
      }
    }
    // SQLite's JSON ends a text at a NUL.
    let quotedTexts = hasZero ? texts.map { Array($0.utf8).withUnsafeBytes(hex) } : texts.map(quoted)
    var lists: [JSONList] = []
    func add(_ elements: [String], _ value: String) {
      guard !elements.isEmpty else { return }
      let text = "[" + elements.joined(separator: ",") + "]"
      lists.append(JSONList(parameter: .slot(.string(text)), value: value))
    }
    add(integers, "value")
    if !objects.isEmpty { lists.append(JSONList(parameter: .objects(objects), value: "value")) }
    add(reals, "\(PredicateFunctions.double)(value)")
    add(quotedTexts, hasZero ? "\(PredicateFunctions.text)(value)" : "value")
    add(blobs, "\(PredicateFunctions.blob)(value)")
    return lists
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        result += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Hexadecimal digits in quotes.
  private static func hex(_ bytes: UnsafeRawBufferPointer) -> String {
    var result = "\""
    result.reserveCapacity(bytes.count * 2 + 2)
    for byte in bytes { result += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return result + "\""
  }
}
