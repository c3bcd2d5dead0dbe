import CoreData
import SQLite

/// The contents of a store's file, read by SQL alone: rows, versions and relationships by the objects' numbers.
struct FilePicture: Sendable {
  /// Objects of every island.
  private(set) var graph: ObjectGraph
  /// `Z_OPT` by the objects' numbers.
  private(set) var versions: [Int: Int64] = [:]
  /// Numbers that several rows have.
  private(set) var repeated: Set<Int> = []
  /// Keys that lead to no row, by an object of which they are said.
  private(set) var dangling: [(name: Int, text: String)] = []
  /// Derived attributes by object and name.
  private(set) var counts: [ObjectGraph.Side: Int] = [:]

  private typealias Row = RowNames.Row

  private struct Reference {
    let name: Int
    let property: StoreMap.Reference
    let target: Row
    let place: Int64
  }

  private struct Member {
    let name: Int
    let place: Int64
  }

  /// The objects' numbers by their rows.
  private(set) var names: [RowNames.Row: Int] = [:]
  private var references: [Reference] = []
  private var members: [ObjectGraph.Side: [Member]] = [:]

  /// Reads all rows in one transaction.
  ///
  /// - Throws: SQLite's error.
  init(_ reader: FileReader) throws {
    graph = ObjectGraph(reader.model)
    try reader.connection.execute("BEGIN")
    defer { try? reader.connection.execute("END") }
    for entity in reader.map.entities where !entity.isAbstract { try readRows(of: entity, reader) }
    for reference in references { connect(reference) }
    for join in reader.map.joins { try read(join, reader) }
    for (side, members) in members {
      let sorted =
        graph.model.relationship(side.relationship).isOrdered
        ? members.sorted { ($0.place, $0.name) < ($1.place, $1.name) }.map(\.name) : members.map(\.name).sorted()
      graph.nodes[side.name]?.manys[side.relationship] = sorted
    }
    (references, members) = ([], [:])
  }

  private mutating func readRows(of entity: StoreMap.Entity, _ reader: FileReader) throws {
    let attributes = entity.attributes.sorted { $0.key < $1.key }
    let statement = try reader.connection.prepare(reader.rowsSQL(of: entity, attributes.map(\.value)))
    let referring = entity.references.reduce(0) { $0 + ($1.orderColumn == nil ? 1 : 2) }
    precondition(
      statement.columnCount == 2 + attributes.count + referring,
      "a row has its key, its version, and a column for each value")
    while try statement.step() {
      let row = Row(table: entity.table, key: statement.int64(at: 0))
      var node = ObjectGraph.Node(entity: entity.name)
      var name = 0
      var found: [(String, Int)] = []
      for (place, (attribute, _)) in attributes.enumerated() where !statement.isNull(at: Int32(place + 2)) {
        let column = Int32(place + 2)
        if attribute == DrawnModel.number { name = Int(statement.int64(at: column)) }
        guard let property = graph.model.attributes[attribute] else { continue }
        if property.counted != nil {
          found.append((attribute, Int(statement.int64(at: column))))
          continue
        }
        node.values[attribute] = Self.text(statement, column, property.type)
      }
      if names.values.contains(name) { repeated.insert(name) }
      names[row] = name
      graph.nodes[name] = node
      versions[name] = statement.int64(at: 1)
      precondition(name > 0, "every row has the number of its object")
      for (attribute, count) in found { counts[ObjectGraph.Side(name: name, relationship: attribute)] = count }
      var column = Int32(attributes.count + 2)
      for reference in entity.references {
        if !statement.isNull(at: column) {
          references.append(
            Reference(
              name: name, property: reference, target: Row(table: reference.table, key: statement.int64(at: column)),
              place: reference.orderColumn == nil ? 0 : statement.int64(at: column + 1)))
        }
        column += reference.orderColumn == nil ? 1 : 2
      }
    }
  }

  private mutating func connect(_ reference: Reference) {
    guard let target = names[reference.target] else {
      let text =
        "\(reference.property.name) of \(reference.name) leads to \(reference.target.table) \(reference.target.key)"
      dangling.append((reference.name, text))
      return
    }
    if let relationship = reference.property.membership {
      members[ObjectGraph.Side(name: target, relationship: relationship), default: []].append(
        Member(name: reference.name, place: reference.place))
      return
    }
    graph.nodes[reference.name]?.ones[reference.property.name] = target
    guard let inverse = reference.property.inverse, graph.model.relationship(inverse).isToMany else { return }
    members[ObjectGraph.Side(name: target, relationship: inverse), default: []].append(
      Member(name: reference.name, place: reference.place))
  }

  private mutating func read(_ join: StoreMap.Join, _ reader: FileReader) throws {
    let statement = try reader.connection.prepare(reader.pairsSQL(of: join))
    precondition(statement.columnCount == 4, "a pair has two keys and two places")
    while try statement.step() {
      let rows = (
        Row(table: join.owner.table, key: statement.int64(at: 0)),
        Row(table: join.member.table, key: statement.int64(at: 1))
      )
      guard let owner = names[rows.0], let member = names[rows.1] else {
        let text = "a pair of \(join.name) leads to \(rows.0.table) \(rows.0.key) and \(rows.1.table) \(rows.1.key)"
        dangling.append((names[rows.0] ?? names[rows.1] ?? 0, text))
        continue
      }
      members[ObjectGraph.Side(name: owner, relationship: join.relationships.owner), default: []].append(
        Member(name: member, place: statement.int64(at: 2)))
      if join.isReflexive { continue }
      members[ObjectGraph.Side(name: member, relationship: join.relationships.member), default: []].append(
        Member(name: owner, place: statement.int64(at: 3)))
    }
  }

  /// The objects of one island.
  func graph(of island: Int) -> ObjectGraph {
    var part = ObjectGraph(graph.model)
    part.nodes = graph.nodes.filter { DrawnEdits.island(of: $0.key) == island }
    return part
  }

  private static func text(_ statement: Statement, _ column: Int32, _ type: NSAttributeType) -> String? {
    switch type {
    case .doubleAttributeType, .floatAttributeType, .dateAttributeType: "\(statement.double(at: column))"
    case .UUIDAttributeType:
      statement.withBytes(at: column) { bytes in
        bytes.count == 16 ? bytes.loadUnaligned(as: UUID.self).uuidString : "\(bytes.count) bytes"
      }
    case .binaryDataAttributeType: DrawnValue.text(Data(statement.bytes(at: column)))
    case .stringAttributeType, .URIAttributeType, .decimalAttributeType: statement.text(at: column)
    default: "\(statement.int64(at: column))"
    }
  }

  /// Whether the file has an attribute's value as the text has it: not for values in another form or in a file of their own.
  static func shows(_ attribute: String, _ model: DrawnModel) -> Bool {
    guard let attribute = model.attributes[attribute] else { return false }
    return !attribute.isExternal && attribute.type != .decimalAttributeType
  }
}

/// A connection to a store's file, beside the stack.
///
/// Concurrency: used by one thread at a time.
final class FileReader {
  let model: DrawnModel
  let map: StoreMap
  let connection: Connection

  /// - Throws: SQLite's error where the file cannot be opened.
  init(_ model: DrawnModel, _ managed: NSManagedObjectModel, path: String) throws {
    self.model = model
    map = try StoreMap(managed)
    connection = try Connection(path: path, mode: .readOnly, busyTimeoutMilliseconds: 5_000)
  }

  fileprivate func rowsSQL(of entity: StoreMap.Entity, _ columns: [String]) -> String {
    let references = entity.references.flatMap { [$0.column] + ($0.orderColumn.map { [$0] } ?? []) }
    let all = (["Z_PK", "Z_OPT"] + columns + references).joined(separator: ", ")
    return "SELECT \(all) FROM \(entity.table) WHERE Z_ENT = \(entity.number)"
  }

  fileprivate func pairsSQL(of join: StoreMap.Join) -> String {
    let orders = [join.orderColumns.members ?? "0", join.orderColumns.owners ?? "0"]
    return "SELECT \(([join.owner.column, join.member.column] + orders).joined(separator: ", ")) FROM \(join.table)"
  }
}
