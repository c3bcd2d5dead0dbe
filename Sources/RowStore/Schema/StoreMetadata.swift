import Foundation
import SQLite
import Scheduling
import Synchronization

/// The metadata in a store's file: its UUID and plist, and whether its tables are the model's.
package enum StoreMetadata {
  /// Makes the tables and bookkeeping of an empty store, in one transaction; nothing where another connection was faster.
  package static func create(
    _ connection: Connection, type: String, schema: StoreSchema, model: any StoredModel, uuid: String? = nil
  ) throws {
    try connection.execute("BEGIN IMMEDIATE")
    guard try isEmpty(connection) else { return try connection.execute("ROLLBACK") }
    for statement in schema.definition(model) { try connection.execute(statement) }
    let insert = try connection.prepare("INSERT INTO Z_METADATA VALUES (1, ?, ?)")
    insert.bind(uuid ?? newUUID(), at: 1)
    try plist(type: type, schema: schema, model: model).withUnsafeBytes { insert.bind($0, at: 2) }
    try insert.run()
    let keep = try connection.prepare("INSERT INTO Z_MODELCACHE VALUES (?)")
    try model.copy(of: schema.entities).withUnsafeBytes { keep.bind($0, at: 1) }
    try keep.run()
    try connection.execute("COMMIT")
  }

  /// In a simulation the stores are numbered: a save to several stores visits them in the order of their UUIDs, which is then the
  /// same in each run.
  static func newUUID() -> String {
    guard Simulation.isCurrent else { return UUID().uuidString }
    let number = made.add(1, ordering: .relaxed).newValue
    precondition(number < 1 << 32, "a process simulates fewer stores than eight digits can number")
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits + "-0000-4000-8000-000000000000"
  }

  private static let made = Atomic<Int>(0)

  /// Whether the database has no table.
  package static func isEmpty(_ connection: Connection) throws -> Bool {
    try connection.int64("SELECT count(*) FROM sqlite_master") == 0
  }

  /// The UUID of the store in the database; nil where there is no store in it.
  package static func uuid(_ connection: Connection) throws -> String? {
    do {
      let statement = try connection.cachedForChecks("SELECT Z_UUID FROM Z_METADATA")
      defer { statement.reset() }
      return try statement.step() ? statement.string(at: 0) : nil
    } catch let error as SQLiteError where error.code.primary == .error {
      // No such table.
      return nil
    }
  }

  /// Makes a copied store one of its own: it gets a UUID, and the type that it has now.
  static func renew(_ connection: Connection, type: String) throws {
    var values = try read(connection)
    values[StoreKeys.uuid] = nil
    values[StoreKeys.type] = type
    let update = try connection.prepare("UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?")
    update.bind(newUUID(), at: 1)
    try encode(values).withUnsafeBytes { update.bind($0, at: 2) }
    try update.run()
  }

  /// The plist's keys, and the UUID and type under their own.
  package static func read(_ connection: Connection) throws -> [String: Any] {
    let statement = try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    guard try statement.step() else { return [:] }
    let data = Data(statement.bytes(at: 1))
    var metadata = BinaryPropertyList.dictionary(data) ?? [:]
    metadata[StoreKeys.uuid] = statement.string(at: 0)
    return metadata
  }

  private static let hashesVersionKey = "NSStoreModelVersionHashesVersion"
  private static let digestKey = "NSStoreModelVersionHashesDigest"
  private static let checksumKey = "NSStoreModelVersionChecksumKey"
  private static let frameworkKey = "NSPersistenceFrameworkVersion"
  /// The version of Apple's framework that writes files like ours.
  private static let framework = 1251

  /// The version hashes of a store by the names of its entities, as Apple's tools compute them.
  ///
  /// Nil where there are none, and for files of an older version of this stack, which made hashes in another way: they have the
  /// framework's version without a digest, which Apple's files of that version have.
  package static func versionHashes(_ metadata: [String: Any]) -> [String: Data]? {
    if metadata[digestKey] == nil, (metadata[frameworkKey] as? NSNumber)?.intValue == framework { return nil }
    return hashes(metadata)
  }

  /// The version hashes of a store by the names of its entities, in whatever way they were made.
  package static func hashes(_ metadata: [String: Any]) -> [String: Data]? {
    metadata[StoreKeys.versionHashes] as? [String: Data]
  }

  /// The metadata of a store, and whether they are to be written.
  package struct Values: @unchecked Sendable {
    // Sendable: property-list values.

    package private(set) var values: [String: Any]
    package var isChanged = false

    package init(_ values: [String: Any]) { self.values = values }

    /// Takes the caller's values; the stack's own stay where `new` leaves them out.
    package mutating func set(_ new: [String: Any]) {
      var kept = new
      for key in Self.ownKeys where kept[key] == nil { kept[key] = values[key] }
      for key in [StoreKeys.uuid, StoreKeys.type] { kept[key] = values[key] }
      values = kept
      isChanged = true
    }

    /// The plist to be written; nil when nothing is.
    package var changedPlist: Data? {
      get throws {
        guard isChanged else { return nil }
        // The UUID has a column of its own.
        return try encode(values.filter { $0.key != StoreKeys.uuid })
      }
    }

    private static let ownKeys = [
      StoreKeys.versionHashes, hashesVersionKey, StoreKeys.versionIdentifiers, digestKey, checksumKey,
      frameworkKey, "_NSAutoVacuumLevel",
    ]
  }

  /// Replaces the plist.
  package static func write(_ connection: Connection, _ plist: Data) throws {
    let update = try connection.cached("UPDATE Z_METADATA SET Z_PLIST = ?")
    plist.withUnsafeBytes { update.bind($0, at: 1) }
    try update.run()
  }

  private static func encode(_ values: [String: Any]) throws -> Data {
    if let (key, value) = values.first(where: {
      !PropertyListSerialization.propertyList($0.value, isValidFor: .binary)
    }) {
      throw NSError.coreData(
        StoreErrorCode.save,
        """
        Metadata of a store are property lists: texts, numbers, dates, data, and arrays and dictionaries of these; \
        \(key) is \(type(of: value)). Set the metadata without it.
        """)
    }
    return try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
  }

  /// Looks whether the file has the entities, tables and columns of the model.
  ///
  /// - Returns: its metadata.
  /// - Throws: 134100 that names the differences, 259 for a database that is no store.
  static func verify(
    _ connection: Connection, schema: StoreSchema, model: any StoredModel, path: String
  ) throws -> [String: Any] {
    let bookkeeping = "SELECT count(*) FROM sqlite_master WHERE name IN ('Z_PRIMARYKEY', 'Z_METADATA')"
    guard try connection.int64(bookkeeping) == 2 else {
      throw NSError.coreData(
        CocoaError.Code.fileReadCorruptFile.rawValue, "\(path) is a database, but not a Core Data store.")
    }
    let metadata = try read(connection)
    let comparison = try StoreComparison(connection, schema: schema, model: model, hashes: versionHashes(metadata))
    if comparison.fits { return metadata }
    var lines = comparison.differences
    if !comparison.isSameVersion, let version = model.version(madeWith: metadata) {
      lines.append("the version \(version) of the model fits")
    }
    throw NSError.coreData(
      StoreErrorCode.incompatibleVersionHash,
      "The store \(path) was made with another version of the model:\n  "
        + lines.joined(separator: "\n  "),
      userInfo: [
        "metadata": metadata, NSFilePathErrorKey: path,
        "reason": "The model used to open the store is incompatible with the one used to create the store",
      ])
  }

  private static func plist(type: String, schema: StoreSchema, model: any StoredModel) throws -> Data {
    let hashes = Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.name, model.versionHash(of: $0)) })
    let identifiers = model.storedIdentifiers
    let plist: [String: Any] = [
      StoreKeys.type: type,
      StoreKeys.versionHashes: hashes,
      hashesVersionKey: 3,
      digestKey: ModelHashes.digest(hashes),
      checksumKey: ModelHashes.checksum(hashes),
      StoreKeys.versionIdentifiers: identifiers.isEmpty ? [""] : identifiers,
      frameworkKey: framework,
      "_NSAutoVacuumLevel": "2",
    ]
    return try encode(plist)
  }
}
