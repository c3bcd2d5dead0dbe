import Foundation
import SQLite

/// The tables and metadata that a store was found to have when it was opened: where connections are kept, the next store on one
/// need not look for the same again.
final class StoreFinding {
  let schema: StoreSchema
  /// As ``StoreMetadata/read(_:)`` gives them, without the UUID.
  private let metadata: [String: Any]
  private let members: [Int]?
  private let plist: [UInt8]
  private let entities: String
  private let version: Int64

  /// Notes what the file of a store of these entities has, after it was compared with the model.
  static func note(
    _ connection: Connection, _ schema: StoreSchema, _ members: [EntityLayout]?, _ metadata: [String: Any]
  ) {
    if connection.isKept { connection.finding = try? StoreFinding(connection, schema, members, metadata) }
  }

  private init(_ connection: Connection, _ schema: StoreSchema, _ members: [EntityLayout]?, _ metadata: [String: Any])
    throws
  {
    self.schema = schema
    self.metadata = metadata
    self.members = members?.map(\.number)
    plist = try Self.row(connection).plist
    entities = try Self.entities(connection)
    version = try connection.schemaVersion
  }

  /// The tables that an owner of the connection before found, where they still hold, with the metadata.
  static func known(
    to connection: Connection, _ layout: ModelLayout, _ members: [EntityLayout]?
  ) -> (schema: StoreSchema, metadata: [String: Any])? {
    guard let known = connection.finding as? StoreFinding, known.schema.model === layout,
      known.members == members?.map(\.number), (try? connection.schemaVersion) == known.version,
      (try? entities(connection)) == known.entities, let row = try? row(connection), row.plist == known.plist
    else { return nil }
    var metadata = known.metadata
    metadata[StoreKeys.uuid] = row.uuid
    return (known.schema, metadata)
  }

  private static func row(_ connection: Connection) throws -> (uuid: String, plist: [UInt8]) {
    let row = try connection.cachedForChecks("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    defer { row.reset() }
    return try row.step() ? (row.string(at: 0), row.bytes(at: 1)) : ("", [])
  }

  /// The entities that the file has, with numbers and parents.
  private static func entities(_ connection: Connection) throws -> String {
    let all = try connection.cachedForChecks(
      "SELECT group_concat(Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER) FROM Z_PRIMARYKEY")
    defer { all.reset() }
    return try all.step() ? all.string(at: 0) : ""
  }
}
