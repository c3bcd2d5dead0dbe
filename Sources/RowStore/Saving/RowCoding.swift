import Foundation
import SQLite

/// A column for a writer: nothing that would have to be retained.
package struct ColumnBinding {
  /// Index of the property.
  package let property: Int
  /// The part of the store's keys above the primary keys.
  private let tag: StoreTag
  /// Where a reference to another store's object is noted; alive as long as the store.
  private unowned(unsafe) let crossing: CrossStoreCheck
  /// Whether the column has the entity of a reference rather than its key.
  let isEntity: Bool
  /// Whether data follow a byte that says that they are in the row.
  let isExternal: Bool
  /// Number of the composite's leaf.
  let leaf: Int

  package init(_ column: Column, _ crossing: CrossStoreCheck) {
    property = column.property.index
    tag = crossing.tag
    self.crossing = crossing
    isEntity = column.codec == .keyEntity
    isExternal = column.codec == .external
    leaf = column.leaf
  }

  /// Writes the value among `values`, which are those of `row`; references to unsaved objects become permanent.
  ///
  /// - Parameters:
  ///   - owner: the key of the object that the row is of.
  ///   - keys: the permanent keys of temporary ones.
  @inline(__always)
  package func write(
    _ values: RowValues, of row: Unmanaged<Row>, owner: Int64, _ keys: UnsafePointer<KeyTable>, to sink: some ValueSink
  ) {
    // Most values are of these kinds; they are written without a copy.
    switch values.kind(property) {
    case .null: sink.setNull()
    case .integer: sink.set(values.place(property, of: Int64.self).pointee)
    case .real, .date: sink.set(values.place(property, of: Double.self).pointee)
    case .string: sink.set(textAt: values.place(property, of: String.self))
    case .reference where !isEntity:
      let key = keys.pointee.permanent(values.storedReference(property).key)
      if !tag.owns(key) { crossing.note(owner, row.takeUnretainedValue().layout.properties[property]) }
      sink.set(tag.primaryKey(key))
    case .reference, .uuid, .text, .data, .boxed, .kept: write(values[property], to: sink)
    }
  }

  /// Writes a slot to where its column is wanted; references are permanent.
  @inline(__always)
  package func write(_ slot: borrowing Slot, to sink: some ValueSink) {
    switch slot {
    case .null: sink.setNull()
    case .integer(let value): sink.set(value)
    case .real(let value), .date(let value): sink.set(value)
    case .string(let value): sink.set(value)
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { sink.set($0) }
    case .data(let value):
      if isExternal {
        (Data([ExternalReference.inRow]) + value).withUnsafeBytes { sink.set($0) }
      } else {
        value.withUnsafeBytes { sink.set($0) }
      }
    case .reference(let reference):
      sink.set(isEntity ? Int64(reference.entity) : tag.primaryKey(reference.key))
    case .boxed(let box):
      switch box.value {
      case let url as URL: sink.set(url.absoluteString)
      case let decimal as Decimal: sink.set("\(decimal)")
      case let value as any EncodedValue: writeEncoded(value, to: sink)
      default:
        preconditionFailure(
          "a slot holds a \(type(of: box.value)), which no column can store: a bug of the stack, to be reported")
      }
    }
  }

  @inline(never)
  private func writeEncoded(_ value: any EncodedValue, to sink: some ValueSink) {
    switch value.fileSlot(leaf: leaf) {
    case .data(let data): data.withUnsafeBytes { sink.set($0) }
    case let slot: write(slot, to: sink)
    }
  }
}

/// Reads rows of one table; the order of its columns is that of ``selection``.
package final class RowReader {
  private struct Field {
    package let column: Int32
    package let property: Int
    package let codec: Column.Codec
    /// Column with the entity of a reference; -1 where the destination has no sub-entities.
    package let entityColumn: Int32
    package let destination: UInt16
    /// Numbers of the destination and all that inherit from it, which follow each other.
    package let family: ClosedRange<Int64>
  }

  /// Versions above this are not raised any more; no store gets there by saves.
  private static let largestVersion = Int64.max >> 1

  /// An attribute with a slot that is made of more than a column's value.
  private struct EncodedField {
    package let encoding: AttributeEncoding
    package let property: Int
    /// A column, or that of each leaf of a composite.
    package let leaves: [Field]
  }

  private typealias Fields = UnsafeBufferPointer<Field>

  private let table: TableSchema
  /// Of the table; alive as long as the model.
  private let root: Unmanaged<EntityLayout>
  private let tag: StoreTag
  /// By the number of the entity; none where the model has none.
  private let encodedFields: [Int: [EncodedField]]
  private let external: ExternalFolder?
  private let fields: [Int: [Field]]
  /// Those of the only entity: no reference is counted for each row. Nil where there are sub-entities.
  private let singleFields: Fields?

  /// How many columns ``selection`` has.
  package var columnCount: Int { table.columns.count + 3 }
  /// Columns to select, from the table under the alias `t0`: key, version, entity, then every property.
  package let selection: String
  /// The same, to be collected.
  package var collection: String { "\(Connection.collector)(\(selection))" }
  /// How values of those columns are put aside.
  let forms: [RawRows.Form]
  /// A statement that selects them of the row with a primary key.
  package let selectionByKey: String
  /// A table of keys, `c0`, and a statement that selects the rows that have them.
  package let (keyFeed, selectionByFeed): (String, String)

  /// Where a column of the table is in ``selection``.
  static func position(ofColumn column: Int) -> Int32 { Int32(column) + 3 }

  /// - Parameter external: the folder of the store's large values; nil for a store without a file.
  package init(_ table: TableSchema, _ tag: StoreTag, external: ExternalFolder? = nil) {
    self.table = table
    root = .passUnretained(table.root)
    self.tag = tag
    self.external = external
    selection = "t0.Z_PK, t0.Z_OPT, t0.Z_ENT" + table.columns.map { ", t0.\($0.name)" }.joined()
    forms = [.integer, .integer, .integer] + table.columns.map(\.codec.form)
    selectionByKey = "SELECT \(selection) FROM \(table.name) t0 WHERE t0.Z_PK = ?"
    keyFeed = "keys_of_\(table.name)"
    selectionByFeed = "SELECT \(selection) FROM \(keyFeed) k CROSS JOIN \(table.name) t0 WHERE t0.Z_PK = k.c0"
    fields = table.columnsByEntity.mapValues { positions in
      positions.compactMap { position in
        let column = table.columns[position]
        guard column.codec != .keyEntity, column.codec.isInRow, column.property.encoding == nil else { return nil }
        var entityColumn: Int32 = -1
        if column.codec == .key,
          let companion = table.columns.firstIndex(where: { $0.codec == .keyEntity && $0.property === column.property })
        {
          entityColumn = RowReader.position(ofColumn: companion)
        }
        return Field(
          column: RowReader.position(ofColumn: position), property: column.property.index, codec: column.codec,
          entityColumn: entityColumn,
          destination: UInt16(truncatingIfNeeded: column.property.relation?.destination.number ?? 0),
          family: Self.numbers(column.property.relation?.destination))
      }
    }
    singleFields = table.hasSubentities ? nil : fields[table.root.number].map(Self.keep)
    var encoded: [Int: [EncodedField]] = [:]
    for entity in table.root.family where entity.hasEncodings {
      encoded[entity.number] = entity.encodedIndices.compactMap { index in
        guard let encoding = entity.properties[index].encoding else { return nil }
        let property = entity.properties[index]
        let positions = table.columns.indices.filter { table.columns[$0].property === property }
        let leaves = positions.sorted { table.columns[$0].leaf < table.columns[$1].leaf }.map { position in
          Field(
            column: RowReader.position(ofColumn: position), property: index, codec: table.columns[position].codec,
            entityColumn: -1,
            destination: 0, family: 0...0)
        }
        precondition(
          encoding.isComposite || leaves.count == 1, "an encoded attribute that is no composite has one column")
        return EncodedField(encoding: encoding, property: index, leaves: leaves)
      }
    }
    encodedFields = encoded
  }

  deinit { singleFields?.deallocate() }

  private static func keep(_ fields: [Field]) -> Fields {
    let kept = UnsafeMutableBufferPointer<Field>.allocate(capacity: fields.count)
    _ = kept.initialize(from: fields)
    return Fields(kept)
  }

  /// Its primary key in the file.
  func primaryKey(of row: Row) -> Int64 { tag.primaryKey(row.key) }

  private static func numbers(_ entity: EntityLayout?) -> ClosedRange<Int64> {
    guard let entity else { return 0...0 }
    let family = entity.family
    precondition(
      family.allSatisfy { 0..<family.count ~= $0.number - entity.number }, "the numbers of a family follow each other")
    return Int64(entity.number)...Int64(entity.number + family.count - 1)
  }

  /// The row that has these values; nil when its entity is not in the model.
  ///
  /// - Throws: for a primary key that no ID can hold.
  package func row(_ values: some ColumnValues) throws -> Row? {
    if let singleFields { return try root._withUnsafeGuaranteedRef { try row($0, singleFields, values) } }
    let number = Int(values.int64(at: 2))
    guard let layout = table.root.model.entity(number: number), let fields = fields[number] else { return nil }
    return try fields.withUnsafeBufferPointer { try row(layout, $0, values) }
  }

  private func row(_ layout: EntityLayout, _ fields: Fields, _ values: some ColumnValues) throws -> Row {
    let key = try tag.rowKey(values.int64(at: 0), values.sql)
    let row = Row.make(layout, key: key, version: min(max(values.int64(at: 1), 0), Self.largestVersion))
    let all = row.values
    // The nulls that are there need no clearing away.
    for field in fields { all.initialize(field.property, slot(field, values)) }
    if !encodedFields.isEmpty, let encoded = encodedFields[layout.number] {
      for field in encoded { row[field.property] = slot(field, values) }
    }
    return row
  }

  /// The same of a row that is read only to be deleted: its texts stay bytes, since hardly anyone asks for them.
  package func lastRow(_ values: CollectedRow) throws -> Row? {
    guard encodedFields.isEmpty, let singleFields else { return try row(values) }
    let key = try tag.rowKey(values.int64(at: 0), values.sql)
    let version = min(max(values.int64(at: 1), 0), Self.largestVersion)
    var textBytes = 0
    for field in singleFields where field.codec == .text { textBytes += values.textCount(at: field.column) }
    return root._withUnsafeGuaranteedRef { layout in
      let row = Row.make(layout, key: key, version: version, textBytes: textBytes)
      let all = row.values
      var end = layout.shape.words * 8
      for field in singleFields {
        guard field.codec == .text else {
          all.initialize(field.property, slot(field, values))
          continue
        }
        guard let bytes = values.utf8(at: field.column) else { continue }
        all.initialize(field.property, bytes, at: end)
        end += bytes.count
      }
      return row
    }
  }

  private func slot(_ field: EncodedField, _ values: some ColumnValues) -> Slot {
    switch field.encoding {
    case .composite(let layout): return CompositeValue.slot(layout, field.leaves.map { slot($0, values) })
    case .transformed(let transformer):
      guard case .data(let data) = slot(field.leaves[0], values) else { return .null }
      return .boxed(SlotBox(TransformedValue(data, transformer)))
    case .external:
      guard !values.isNull(at: field.leaves[0].column) else { return .null }
      return values.withBytes(at: field.leaves[0].column) { ExternalReference.slot($0, external) }
    }
  }

  /// The entity that a reference leads to; the destination where the file names an entity that does not inherit from it.
  @inline(__always)
  private func entity(_ field: Field, _ values: some ColumnValues) -> UInt16 {
    guard field.entityColumn >= 0 else { return field.destination }
    let number = values.int64(at: field.entityColumn)
    return field.family.contains(number) ? UInt16(truncatingIfNeeded: number) : field.destination
  }

  private func slot(_ field: Field, _ values: some ColumnValues) -> Slot {
    let column = field.column
    switch field.codec {
    // SQLite is asked whether there is a value only where it gave the value that means none.
    case .integer:
      let value = values.int64(at: column)
      return value == 0 && values.isNull(at: column) ? .null : .integer(value)
    case .real:
      let value = values.double(at: column)
      return value == 0 && values.isNull(at: column) ? .null : .real(value)
    case .timestamp:
      let value = values.double(at: column)
      return value == 0 && values.isNull(at: column) ? .null : .date(value)
    case .text: return values.text(at: column).map { .string($0) } ?? .null
    default: return values.isNull(at: column) ? .null : otherSlot(field, values)
    }
  }

  private func otherSlot(_ field: Field, _ values: some ColumnValues) -> Slot {
    let column = field.column
    switch field.codec {
    case .integer, .real, .timestamp, .text: preconditionFailure("a number or a text is read where it is asked for")
    case .url: return URL(string: values.string(at: column)).map { .boxed(SlotBox($0)) } ?? .null
    case .decimal: return Slot(decimal: values.string(at: column))
    case .blob, .transformed, .external: return .data(values.withBytes(at: column) { Data($0) })
    case .uuid:
      return values.withBytes(at: column) { bytes in
        bytes.count == 16 ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : .null
      }
    case .key, .keyEntity, .order, .ownerKey, .ownerOrder:
      guard let key = tag.key(values.int64(at: column)) else { return .null }
      return .reference(RowReference(key: key, entity: entity(field, values)))
    }
  }
}

extension Column.Codec {
  /// How ``RowReader`` asks for a value.
  fileprivate var form: RawRows.Form {
    switch self {
    case .integer, .key, .keyEntity, .order, .ownerKey, .ownerOrder: .integer
    case .real, .timestamp: .real
    case .text, .url, .decimal: .text
    case .blob, .transformed, .external, .uuid: .bytes
    }
  }
}
