import RowStore

/// One key of the dictionaries that a fetch gives.
struct DictionaryColumn {
  let name: String
  let resolved: ResolvedColumn
  let column: SelectedColumn
  private let declared: AttributeType

  /// A column of the type that its expression has, or of the declared one.
  init(_ name: String, _ column: ResolvedColumn, declared: AttributeType = .undefined) throws(PredicateFailure) {
    self.name = name
    resolved = column
    self.declared = declared
    self.column = SelectedColumn(expression: column.expression, form: try Self.form(name, column, declared))
  }

  /// The same about the elements of all rows of a group, where it is about the elements of one row.
  func overGroup() throws(PredicateFailure) -> DictionaryColumn {
    if case .path = resolved.expression { return self }
    return try DictionaryColumn(name, resolved.overGroup, declared: declared)
  }

  /// - Throws: where the column does not have the value itself, so that SQL would tell equal values apart.
  func requirePlain(_ use: String) throws(PredicateFailure) {
    guard case .encoded = column.form else { return }
    throw PredicateFailure(
      position: nil, message: "\(name) cannot be \(use), since the file has its value in another form")
  }

  private static func form(
    _ name: String, _ column: ResolvedColumn, _ declared: AttributeType
  ) throws(PredicateFailure) -> SelectedColumn.Form {
    if case .path(let path) = column.expression {
      if let transient = path.steps.first(where: \.isTransient) {
        throw PredicateFailure(position: nil, message: "\(name): \(transient.name) is transient, and not in the store")
      }
      if let last = path.steps.last, let encoding = last.encoding, case .attribute(let type) = last.kind {
        guard declared == .undefined || declared == type else {
          throw PredicateFailure(position: nil, message: "\(name) is \(type.valueDescription), and of no other type")
        }
        let leaves = last.isComposite ? last.leafElements : [last]
        return .encoded(
          encoding, type,
          leaves: leaves.map { .path(ResolvedPath(scope: path.scope, steps: path.steps.dropLast() + [$0])) })
      }
      if case .object(let entity) = column.type {
        guard declared == .undefined || declared == .objectID else {
          throw PredicateFailure(position: nil, message: "\(name) is an object; its type is objectIDAttributeType")
        }
        return .object(path, entity)
      }
      if declared == .undefined, case .attribute(let type)? = path.steps.last?.kind { return .attribute(type) }
    }
    guard declared != .objectID else {
      throw PredicateFailure(position: nil, message: "\(name) is \(column.type.description), and no object with an ID")
    }
    guard column.expression.isTranslatable || column.expression.isColumn else {
      throw PredicateFailure(position: nil, message: "\(name) cannot be computed by the store")
    }
    return .attribute(declared == .undefined ? column.type.attributeType : declared)
  }

  /// The value of a slot that the store gave; nil for null.
  func value(_ slot: Slot, in store: StoreIdentity) -> Any? {
    switch column.form {
    case .attribute(let type), .encoded(_, let type, _): return slot.value(as: type)
    case .object(_, let entity):
      guard case .reference(let reference) = slot else { return nil }
      return NSManagedObjectID(
        key: reference.key, layout: entity.model.entity(number: Int(reference.entity)) ?? entity, store: store)
    }
  }
}

extension ValueType {
  /// The type of attributes with such values.
  fileprivate var attributeType: AttributeType {
    switch self {
    case .boolean: .boolean
    case .integer: .integer64
    case .real: .double
    case .decimal: .decimal
    case .date: .date
    case .text: .string
    case .url: .url
    case .uuid: .uuid
    case .data: .data
    case .object: .objectID
    case .null, .entity, .other: .undefined
    }
  }
}

extension ResolvedExpression {
  /// Whether it is a column of the store as it is.
  fileprivate var isColumn: Bool {
    if case .path(let path) = self { !path.steps.contains(where: \.isTransient) } else { false }
  }
}
