extension ModelBuilder {
  /// The names of the types in a model's file.
  static let attributeTypes: [String: NSAttributeType] = [
    "integer 16": .integer16AttributeType, "integer 32": .integer32AttributeType, "integer 64": .integer64AttributeType,
    "decimal": .decimalAttributeType, "double": .doubleAttributeType, "float": .floatAttributeType,
    "string": .stringAttributeType, "boolean": .booleanAttributeType, "date": .dateAttributeType,
    "binary": .binaryDataAttributeType, "binary data": .binaryDataAttributeType, "uuid": .UUIDAttributeType,
    "uri": .URIAttributeType, "transformable": .transformableAttributeType, "object id": .objectIDAttributeType,
    "objectid": .objectIDAttributeType, "composite": .compositeAttributeType, "undefined": .undefinedAttributeType,
  ]

  /// Makes an attribute; the caller sets its name and the parts that all properties have.
  mutating func attribute(
    _ element: ModelElement, _ label: String, within composites: [String] = []
  ) -> NSAttributeDescription? {
    var type = NSAttributeType.undefinedAttributeType
    if let name = element["attributeType"], !name.isEmpty {
      guard let known = Self.attributeTypes[name.lowercased()] else {
        problem(element, "\(label): attributeType is \"\(name)\", which is no type")
        return nil
      }
      type = known
    }
    let attribute: NSAttributeDescription
    if flag(element, "derived") {
      let derived = NSDerivedAttributeDescription()
      if let text = element["derivationExpression"], !text.isEmpty {
        derived.derivationExpression = expression(text, element, "\(label): derivationExpression")
      } else {
        problem(element, "\(label): a derived attribute needs a derivationExpression")
      }
      attribute = derived
    } else if type == .compositeAttributeType {
      let composite = NSCompositeAttributeDescription()
      composite.elements = elements(element, label, within: composites)
      attribute = composite
    } else {
      attribute = NSAttributeDescription()
    }
    attribute.attributeType = type
    if type == .undefinedAttributeType, !flag(element, "transient") {
      warning(element, "\(label): has no attributeType, and is not stored")
      attribute.isTransient = true
    }
    if type == .objectIDAttributeType, !flag(element, "transient") {
      warning(element, "\(label): object IDs are not stored")
      attribute.isTransient = true
    }
    attribute.valueTransformerName = element["valueTransformerName"].flatMap { $0.isEmpty ? nil : $0 }
    attribute.attributeValueClassName = element["customClassName"].flatMap { $0.isEmpty ? nil : $0 }
    attribute.allowsExternalBinaryDataStorage = flag(element, "allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion =
      flag(element, "preserveAfterDeletion") || flag(element, "preservesValueInHistoryOnDeletion")
    attribute.allowsCloudEncryption = flag(element, "allowsCloudEncryption")
    readDefault(element, label, attribute)
    readRules(element, label, attribute)
    return attribute
  }

  // MARK: Composites

  /// The elements of a composite attribute: those of the model's composite that an XML attribute names, or its own.
  private mutating func elements(
    _ element: ModelElement, _ label: String, within outer: [String]
  ) -> [NSAttributeDescription] {
    var source = element
    var path = outer
    if element.children("attribute").isEmpty {
      // A composite may be called like a type, or a class.
      let reference = element.attributes.sorted { $0.key < $1.key }.first { key, value in
        !["name", "attributeType"].contains(key) && composites[value] != nil
      }
      guard let name = element["composite"].flatMap({ composites[$0] == nil ? nil : $0 }) ?? reference?.value,
        let found = composites[name]
      else {
        problem(element, "\(label): says no composite of the model that it is made of")
        return []
      }
      if outer.contains(name) {
        problem(element, "\(label): the composite \(name) is made of itself")
        return []
      }
      path.append(name)
      source = found
    }
    // Composites made of composites of composites would grow without end.
    if path.count > Self.compositeDepthMax {
      problem(element, "\(label): composites within composites, more than \(Self.compositeDepthMax) deep")
      return []
    }
    var result: [NSAttributeDescription] = []
    for part in source.children("attribute") {
      guard let name = identifier(part, of: "\(label): attribute"),
        let attribute = attribute(part, "\(label).\(name)", within: path)
      else { continue }
      readCommon(part, attribute)
      if result.contains(where: { $0.name == name }) { problem(part, "\(label).\(name): the name is taken") }
      result.append(attribute)
    }
    if result.isEmpty { warning(element, "\(label): its composite has no attributes, and so it has no value") }
    return result
  }

  private static var compositeDepthMax: Int { 4 }

  // MARK: Defaults

  private mutating func readDefault(_ element: ModelElement, _ label: String, _ attribute: NSAttributeDescription) {
    if let text = element["defaultDateTimeInterval"] {
      if attribute.attributeType != .dateAttributeType {
        warning(element, "\(label): defaultDateTimeInterval is of no use to an attribute that is no date")
      } else if let seconds = Double(text), seconds.isFinite {
        attribute.defaultValue = Date(timeIntervalSinceReferenceDate: seconds)
      } else {
        problem(element, "\(label): defaultDateTimeInterval is \"\(text)\"; seconds since 2001-01-01 00:00 UTC")
      }
    }
    guard let text = element["defaultValueString"] else { return }
    switch attribute.attributeType {
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType,
      .binaryDataAttributeType:
      warning(element, "\(label): defaultValueString is of no use to an attribute of this type, and left out")
    case .dateAttributeType where element["defaultDateTimeInterval"] != nil: break
    default:
      if let value = Self.value(text, attribute.attributeType) {
        attribute.defaultValue = value
      } else {
        attribute.defaultValue = Self.coerced(text, attribute.attributeType)
        let wanted = attribute.attributeType.rowType.valueDescription
        let taken = attribute.defaultValue.map { "\($0) is used" } ?? "there is no default"
        warning(element, "\(label): defaultValueString is \"\(text)\", which is no \(wanted); \(taken)")
      }
    }
  }

  /// The value that Apple's compiler is taken to make of a text of another type: the number that a word means, the truth of a
  /// number, the nearest number; nil for anything else.
  private static func coerced(_ text: String, _ type: NSAttributeType) -> Any? {
    let word = text.trimmingCharacters(in: .whitespaces).uppercased()
    let truth: Double? = ["YES": 1, "TRUE": 1, "NO": 0, "FALSE": 0][word]
    guard let number = truth ?? Double(word), number.isFinite else { return nil }
    func nearest<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer {
      number <= Double(Integer.min) ? .min : number >= Double(Integer.max) ? .max : Integer(number)
    }
    switch type {
    case .booleanAttributeType: return number != 0
    case .integer16AttributeType: return NSNumber(value: nearest(Int16.self))
    case .integer32AttributeType: return NSNumber(value: nearest(Int32.self))
    case .integer64AttributeType: return NSNumber(value: nearest(Int64.self))
    case .doubleAttributeType, .dateAttributeType: return value("\(number)", type)
    case .floatAttributeType: return NSNumber(value: Float(number))
    case .decimalAttributeType: return Decimal(number)
    default: return nil
    }
  }

  /// A value written as text; nil where the text is none of the type.
  static func value(_ text: String, _ type: NSAttributeType) -> Any? {
    switch type {
    case .integer16AttributeType: integer(text).flatMap { Int16(exactly: $0) }.map { NSNumber(value: $0) }
    case .integer32AttributeType: integer(text).flatMap { Int32(exactly: $0) }.map { NSNumber(value: $0) }
    case .integer64AttributeType: integer(text).map { NSNumber(value: $0) }
    case .doubleAttributeType: Double(text).map { NSNumber(value: $0) }
    case .floatAttributeType: Float(text).map { NSNumber(value: $0) }
    case .decimalAttributeType: decimal(text)
    case .stringAttributeType: text
    case .booleanAttributeType:
      switch text.uppercased() {
      case "YES", "TRUE", "1": true
      case "NO", "FALSE", "0": false
      default: nil
      }
    case .dateAttributeType: Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
    case .UUIDAttributeType: UUID(uuidString: text)
    case .URIAttributeType: URL(string: text)
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType,
      .binaryDataAttributeType:
      nil
    }
  }

  /// A whole number; the editor also writes it as `0.0`.
  static func integer(_ text: String) -> Int64? {
    Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
  }

  /// A decimal that the whole text is.
  static func decimal(_ text: String) -> Decimal? {
    // Foundation stops at a character that is no digit.
    guard Double(text) != nil, text.allSatisfy({ $0.isASCII && !$0.isLetter || $0 == "e" || $0 == "E" }) else {
      return nil
    }
    return Decimal(string: text)
  }

  // MARK: Rules

  private mutating func readRules(_ element: ModelElement, _ label: String, _ attribute: NSAttributeDescription) {
    var rules: [(predicate: NSPredicate, code: Int)] = []
    switch attribute.attributeType {
    case .stringAttributeType:
      if let least = count(element, "minValueString") {
        rules.append((NSPredicate(format: "length >= %d", least), NSValidationStringTooShortError))
      }
      if let most = count(element, "maxValueString") {
        rules.append((NSPredicate(format: "length <= %d", most), NSValidationStringTooLongError))
      }
      if let pattern = element["regularExpressionString"], !pattern.isEmpty {
        if (try? NSRegularExpression(pattern: pattern)) == nil {
          problem(element, "\(label): regularExpressionString is no regular expression")
        } else {
          rules.append((NSPredicate(format: "SELF MATCHES %@", pattern), NSValidationStringPatternMatchingError))
        }
      }
    case .dateAttributeType:
      if let date = limit(element, label, "minDateTimeInterval", .dateAttributeType) {
        rules.append((NSPredicate(format: "SELF >= %@", date), NSValidationDateTooSoonError))
      }
      if let date = limit(element, label, "maxDateTimeInterval", .dateAttributeType) {
        rules.append((NSPredicate(format: "SELF <= %@", date), NSValidationDateTooLateError))
      }
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
      .doubleAttributeType, .floatAttributeType:
      // A limit may be outside the attribute's range.
      let type: NSAttributeType =
        switch attribute.attributeType {
        case .decimalAttributeType: .decimalAttributeType
        case .doubleAttributeType, .floatAttributeType: .doubleAttributeType
        default: .integer64AttributeType
        }
      if let number = limit(element, label, "minValueString", type) {
        rules.append((NSPredicate(format: "SELF >= %@", number), NSValidationNumberTooSmallError))
      }
      if let number = limit(element, label, "maxValueString", type) {
        rules.append((NSPredicate(format: "SELF <= %@", number), NSValidationNumberTooLargeError))
      }
    default: break
    }
    attribute.setValidation(rules.map(\.predicate), warnings: rules.map { NSNumber(value: $0.code) })
  }

  private mutating func limit(
    _ element: ModelElement, _ label: String, _ name: String, _ type: NSAttributeType
  ) -> Any? {
    guard let text = element[name], !text.isEmpty else { return nil }
    if let value = Self.value(text, type) { return value }
    problem(element, "\(label): \(name) is \"\(text)\", which is no \(type.rowType.valueDescription)")
    return nil
  }
}
