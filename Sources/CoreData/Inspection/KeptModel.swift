import SQLite

/// The copy of its model that a store keeps in `Z_MODELCACHE`.
enum KeptModel {
  /// The model, with objects of the class `NSManagedObject`; nil where there is none, or none that can be read.
  ///
  /// - Throws: `SQLiteError` when the file cannot be read.
  static func read(_ connection: Connection) throws -> NSManagedObjectModel? {
    let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'"
    guard try connection.int64(tables) == 1 else { return nil }
    let statement = try connection.prepare(
      "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE length(Z_CONTENT) <= \(ModelArchive.sizeMax) LIMIT 1")
    guard try statement.step() else { return nil }
    let content = [UInt8](Data(statement.bytes(at: 0)))
    let model = NSManagedObjectModel()
    guard let archive = try? Deflate.expand(content, sizeMax: ModelArchive.sizeMax),
      (try? CompiledModelBuilder.build(Data(archive), path: "Z_MODELCACHE", into: model)) != nil
    else { return nil }
    for entity in model.entities { entity.classRule = .plain }
    return model
  }
}
