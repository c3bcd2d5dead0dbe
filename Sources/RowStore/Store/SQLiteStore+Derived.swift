import Foundation
import SQLite

/// Values of derived attributes that the save under way computed; only in the writer's turn.
package final class DerivedValues: @unchecked Sendable {
  // Sendable: its store's writer fills it and reads it, in its turn.

  private struct Place: Hashable {
    package let root: Int
    package let key: Int64
  }

  private var values: [Place: [Int: SQLValue]] = [:]

  package var isEmpty: Bool { values.isEmpty }

  package func removeAll() {
    if !values.isEmpty { values = [:] }
  }

  package func note(root: Int64, key: Int64, property: Int64, _ value: SQLValue) {
    values[Place(root: Int(root), key: key), default: [:]][Int(property)] = value
  }

  /// The values of a row that the save itself wrote.
  package func take(root: Int, key: Int64) -> [Int: SQLValue]? {
    values.removeValue(forKey: Place(root: root, key: key))
  }

  /// The attributes of a row that got values.
  func properties(root: Int, key: Int64) -> PropertyMask {
    var mask = PropertyMask.empty
    for index in values[Place(root: root, key: key), default: [:]].keys { mask.insert(index) }
    return mask
  }

  /// The primary keys of the rows that got values, by the number of their root entity.
  package var keys: [Int: [Int64]] { Dictionary(grouping: values.keys, by: \.root).mapValues { $0.map(\.key) } }

  /// The keys of the rows that are left, by the number of their root entity.
  func removeKeys() -> [Int: [Int64]] {
    defer { removeAll() }
    return keys
  }
}

extension SQLiteStore {
  /// Gives the writer the functions for derived attributes, and the triggers that call them.
  ///
  /// Functions that Apple's triggers call are there as well, so that a store which has them can be written; those that
  /// tell Apple's row cache do nothing.
  func prepareDerived() throws {
    for name in ["NSCoreDataNow", DerivedTriggers.nowFunction] {
      try connection.register(
        SQLFunction(name, argumentCount: 0, isDeterministic: false) { _ in .real(Date().timeIntervalSinceReferenceDate)
        })
    }
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataTriggerUpdateAffectedObjectValue",
    ] {
      try connection.register(SQLFunction(name, argumentCount: -1) { _ in .null })
    }
    guard !schema.derived.isEmpty else { return }
    let forms: [(String, DerivedAttribute.Form)] = [
      (DerivedTriggers.canonicalFunction, .canonical), (DerivedTriggers.uppercaseFunction, .uppercase),
      (DerivedTriggers.lowercaseFunction, .lowercase),
    ]
    for (name, form) in forms {
      try connection.register(
        SQLFunction(name, argumentCount: 1) { arguments in
          if case .text(let text) = arguments[0] { .text(form.of(text)) } else { arguments[0] }
        })
    }
    let derivedValues = derivedValues
    try connection.register(
      SQLFunction(DerivedTriggers.reportFunction, argumentCount: 4, isDeterministic: false) { arguments in
        guard case .integer(let root) = arguments[0], case .integer(let key) = arguments[1],
          case .integer(let property) = arguments[2]
        else { return .null }
        derivedValues.note(root: root, key: key, property: property, arguments[3])
        return .null
      })
    for statement in DerivedTriggers(schema).statements { try connection.execute(statement) }
  }

  /// Puts the values that the store computed into a row it wrote; before the row is published.
  func applyDerived(_ row: Row) {
    guard let values = derivedValues.take(root: Int(row.rootNumber), key: primaryKey(row.key)) else { return }
    for (index, value) in values {
      guard case .attribute(let type) = row.layout.properties[index].kind else { continue }
      row[index] = Slot(value, type)
    }
  }

  /// Reads again the rows that others' changes gave new values; after the commit.
  func refreshDerived() -> [Row] {
    guard !derivedValues.isEmpty else { return [] }
    return derivedValues.removeKeys().flatMap { root, keys in
      guard let layout = schema.model.entity(number: root) else { return [] as [Row] }
      // Rows that cannot be read now are read when they are asked for.
      return ((try? refreshRows(keys: keys.compactMap(tag.key), root: layout)) ?? []).compactMap(\.self)
    }
  }
}

extension Slot {
  /// A value as the file has it, as the slot of an attribute of that type.
  init(_ value: SQLValue, _ type: AttributeType) {
    switch (value, type) {
    case (.null, _): self = .null
    case (.integer(let number), .double), (.integer(let number), .float):
      self = .real(Double(number))
    case (.integer(let number), .date): self = .date(Double(number))
    case (.integer(let number), .decimal): self = .boxed(SlotBox(Decimal(number)))
    case (.integer(let number), _): self = .integer(number)
    case (.real(let number), .date): self = .date(number)
    // As whoever reads the column: with its 15 digits, and without the fraction of what is to be an integer.
    case (.real(let number), .decimal): self = Slot(decimal: NumberText.ofColumn(number))
    case (.real(let number), .double), (.real(let number), .float): self = .real(number)
    case (.real(let number), _): self = .integer(Int64(exactly: number.rounded(.towardZero)) ?? 0)
    case (.text(let text), .url): self = URL(string: text).map { .boxed(SlotBox($0)) } ?? .null
    case (.text(let text), .decimal): self = Slot(decimal: text)
    case (.text(let text), _): self = .string(text)
    case (.blob(let bytes), .uuid) where bytes.count == 16:
      self = .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case (.blob(let bytes), _): self = .data(Data(bytes))
    }
  }
}
