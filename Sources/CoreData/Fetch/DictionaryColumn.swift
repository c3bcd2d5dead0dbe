import SQLite

/// One key of the dictionaries that a fetch gives.
struct DictionaryColumn {
  /// How its values come.
  enum Form {
    case attribute(NSAttributeType)
    /// The object at the end of a path, of an entity or its sub-entities, by its ID.
    case objectID(ResolvedPath, EntityLayout)
  }

  let name: String
  let column: ResolvedColumn
  let form: Form

  /// A column of the type that its expression has, or of the declared one.
  init(
    _ name: String, _ column: ResolvedColumn, declared: NSAttributeType = .undefinedAttributeType
  ) throws(PredicateError) {
    self.name = name
    self.column = column
    if case .path(let path) = column.expression {
      if let transient = path.steps.first(where: \.isTransient) {
        throw PredicateError(position: nil, message: "\(name): \(transient.name) is transient, and not in the store")
      }
      if let last = path.steps.last, last.isEncoded {
        throw PredicateError(
          position: nil,
          message: "\(name) cannot be fetched into dictionaries, since its file has it encoded; fetch objects")
      }
      if case .object(let entity) = column.type {
        guard declared == .undefinedAttributeType || declared == .objectIDAttributeType else {
          throw PredicateError(position: nil, message: "\(name) is an object; its type is objectIDAttributeType")
        }
        form = .objectID(path, entity)
        return
      }
      if declared == .undefinedAttributeType, case .attribute(let type)? = path.steps.last?.kind {
        form = .attribute(type)
        return
      }
    }
    guard declared != .objectIDAttributeType else {
      throw PredicateError(position: nil, message: "\(name) is \(column.type.description), and no object with an ID")
    }
    guard column.expression.isTranslatable || column.expression.isColumn else {
      throw PredicateError(position: nil, message: "\(name) cannot be computed by the store")
    }
    form = .attribute(declared == .undefinedAttributeType ? column.type.attributeType : declared)
  }

  /// What is selected: an object takes its key and its entity.
  var selection: [ResolvedExpression] {
    switch form {
    case .attribute: [column.expression]
    case .objectID(let path, let entity):
      entity.children.isEmpty ? [column.expression] : [column.expression, .entity(path)]
    }
  }

  /// The value in the statement's current row; nil for null. The next column follows the selection.
  func value(_ statement: Statement, at position: Int32, of store: SQLiteStore) -> Any? {
    guard !statement.isNull(at: position) else { return nil }
    switch form {
    case .attribute(let type): return Self.slot(statement, at: position, type).value(as: type)
    case .objectID(_, let entity):
      let number = entity.children.isEmpty ? entity.number : Int(statement.int64(at: position + 1))
      return store.tag.key(statement.int64(at: position)).map { key in
        store.objectID(key, store.schema.model.entity(number: number) ?? entity)
      }
    }
  }

  private static func slot(_ statement: Statement, at position: Int32, _ type: NSAttributeType) -> Slot {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      if statement.storage(at: position) == .real {
        return Int64(exactly: statement.double(at: position).rounded(.towardZero)).map { .integer($0) } ?? .null
      }
      return .integer(statement.int64(at: position))
    case .booleanAttributeType: return .integer(statement.double(at: position) == 0 ? 0 : 1)
    case .doubleAttributeType, .floatAttributeType: return .real(statement.double(at: position))
    case .dateAttributeType: return .date(statement.double(at: position))
    case .stringAttributeType: return .string(statement.string(at: position))
    case .decimalAttributeType:
      return Decimal(string: statement.string(at: position)).map { .boxed(SlotBox($0)) } ?? .null
    case .URIAttributeType: return URL(string: statement.string(at: position)).map { .boxed(SlotBox($0)) } ?? .null
    case .UUIDAttributeType:
      return statement.withBytes(at: position) { bytes in
        bytes.count == 16 ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : .null
      }
    case .binaryDataAttributeType: return .data(statement.withBytes(at: position) { Data($0) })
    default:
      return switch statement.storage(at: position) {
      case .integer: .integer(statement.int64(at: position))
      case .real: .real(statement.double(at: position))
      case .text: .string(statement.string(at: position))
      case .blob: .data(statement.withBytes(at: position) { Data($0) })
      case .null: .null
      }
    }
  }
}

extension ValueType {
  /// The type of attributes with such values.
  fileprivate var attributeType: NSAttributeType {
    switch self {
    case .boolean: .booleanAttributeType
    case .integer: .integer64AttributeType
    case .real: .doubleAttributeType
    case .decimal: .decimalAttributeType
    case .date: .dateAttributeType
    case .text: .stringAttributeType
    case .url: .URIAttributeType
    case .uuid: .UUIDAttributeType
    case .data: .binaryDataAttributeType
    case .object: .objectIDAttributeType
    case .null, .entity, .other: .undefinedAttributeType
    }
  }
}

extension ResolvedExpression {
  /// Whether it is a column of the store as it is.
  fileprivate var isColumn: Bool {
    if case .path(let path) = self { !path.steps.contains(where: \.isTransient) } else { false }
  }
}

extension PropertyLayout {
  /// Whether the column has something else than the value.
  fileprivate var isEncoded: Bool {
    switch kind {
    case .attribute(.transformableAttributeType), .attribute(.compositeAttributeType): true
    case .attribute(.binaryDataAttributeType):
      owner.entity.attributesByName[name]?.allowsExternalBinaryDataStorage ?? false
    default: false
    }
  }
}
