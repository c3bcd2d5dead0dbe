import Foundation
import SQLite
import Scheduling

/// The file of a new store of a model: a simulation makes the same one thousands of times, and begins with a copy.
package final class StoreImage: @unchecked Sendable {
  // Sendable: the tasks of one simulation use it, one at a time.

  private let schema: StoreSchema
  /// Without the UUID.
  private let metadata: [String: Any]
  /// A database in memory that is the same.
  private let original: Connection
  private let rename: Statement
  /// The bytes of the file, and where the UUID is in them.
  private let bytes: [UInt8]
  private let place: Range<Int>

  private static let uuid = "00000000-0000-4000-8000-000000000000"
  /// Both bytes that say how a file is written: with a write-ahead log.
  private static let versions = (places: 18...19, withLog: UInt8(2))

  /// Makes a store of the type `type` in a simulation of a test's own code, where nothing is yet: the file, or the contents of
  /// `memory`. Nil where it is to be made by statements.
  ///
  /// No task runs meanwhile, so that only the time is another one than with statements.
  static func write(
    to place: StorePlace, memory: Connection? = nil, _ type: String, _ options: StoreOptions, _ model: any StoredModel,
    _ layout: ModelLayout, _ members: [EntityLayout]?
  ) throws -> (schema: StoreSchema, metadata: [String: Any])? {
    guard Simulation.interceptsCalls, place.isMemory == (memory != nil),
      options.dictionary?[StoreOptions.Key.pragmas] == nil
    else { return nil }
    let kind = StoreImages.Kind(
      type: type, members: members?.map(\.number), hasHistory: options.isOn(StoreOptions.Key.history))
    guard let image = try model.images[kind] as? StoreImage ?? make(kind, model, layout, members),
      image.schema.model === layout
    else { return nil }
    guard let uuid = try memory.map(image.copy) ?? image.write(to: place.path) else { return nil }
    var metadata = image.metadata
    metadata[StoreKeys.uuid] = uuid
    return (image.schema, metadata)
  }

  /// Makes it by the statements of a new store.
  private static func make(
    _ kind: StoreImages.Kind, _ model: any StoredModel, _ layout: ModelLayout, _ members: [EntityLayout]?
  ) throws -> StoreImage? {
    let schema = StoreSchema(layout, members: members)
    guard schema.relationshipOutside == nil else { return nil }
    let connection = try Connection(path: ":memory:")
    try ConnectionConfiguration(StoreOptions(nil)).prepareNewFile(connection)
    try StoreMetadata.create(connection, type: kind.type, schema: schema, model: model, uuid: uuid)
    if kind.hasHistory { try HistorySchema(schema).prepare(connection) }
    let image = try StoreImage(schema, connection)
    if let image { model.images[kind] = image }
    return image
  }

  private init?(_ schema: StoreSchema, _ connection: Connection) throws {
    var bytes = try connection.contents
    for place in Self.versions.places { bytes[place] = Self.versions.withLog }
    let uuid = Array(Self.uuid.utf8)
    guard let place = bytes.firstRange(of: uuid), bytes[place.upperBound...].firstRange(of: uuid) == nil else {
      return nil
    }
    self.schema = schema
    self.bytes = bytes
    self.place = place
    metadata = try StoreMetadata.read(connection)
    original = connection
    rename = try connection.prepare("UPDATE Z_METADATA SET Z_UUID = ?")
  }

  /// Gives a database in memory the contents; returns the UUID.
  private func copy(to memory: Connection) throws -> String {
    precondition(memory !== original, "a store is copied to another database")
    let uuid = StoreMetadata.newUUID()
    rename.bind(uuid, at: 1)
    try rename.run()
    try memory.copy(from: original)
    return uuid
  }

  /// Makes the file and returns the UUID; nil where one is there, or a part of one, and where it cannot be written.
  private func write(to path: String) -> String? {
    guard path.hasPrefix("/"), !["-wal", "-journal"].contains(where: { access(path + $0, F_OK) == 0 }) else {
      return nil
    }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let uuid = StoreMetadata.newUUID()
    precondition(uuid.utf8.count == place.count, "identifiers of stores are of one length")
    var own = bytes
    own.replaceSubrange(place, with: uuid.utf8)
    if own.withUnsafeBytes({ pwrite(file, $0.baseAddress, $0.count, 0) }) == own.count { return uuid }
    unlink(path)
    return nil
  }
}
