import CoreData
import Reporting

/// The contents of a store's file, and its fit to a model.
struct StoreListing: Encodable, Sendable {
  /// One entity.
  struct Entity: Encodable, Sendable {
    let name: String
    let number: Int64
    let superentity: String?
    let table: String?
    let rows: Int64
    let largestKey: Int64
    /// Objects that the stack fetched; nil without a model that fits.
    var objects: Int?
  }

  /// A table that is no entity's.
  struct Table: Encodable, Sendable {
    let name: String
    let rows: Int64
  }

  /// The fit of the file to a model.
  struct Fit: Encodable, Sendable {
    let path: String
    let differences: [String]
    /// Entities with the model's version hash in the file.
    let sameVersionHashes: Int
    /// The version of the model that fits, where the one compared does not.
    var fittingVersion: String?
    /// Members of relationships that were followed; nil where the model does not fit.
    var references: Int?
    /// The first of the references that differ from the other side.
    var disagreements: [String] = []
    var disagreementCount = 0
  }

  /// Why there is nothing to list.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  let path: String
  let uuid: String
  let type: String?
  /// Version of the framework that made the file.
  let framework: Int?
  let versionIdentifiers: [String]
  private(set) var entities: [Entity]
  let total: Int64
  let joinTables: [Table]
  let otherTables: [Table]
  private(set) var model: Fit?
  /// Nil where it was not asked for.
  private(set) var history: HistoryListing?
  /// Lines on the file's own copy of its model, where there is no model to compare with; else nil.
  private let keptModel: [String]?

  /// Reads the store; with a model, walks over its objects too.
  init(
    _ path: String, model modelPath: String? = nil, version: String? = nil, withHistory: Bool = false
  ) throws(Unusable) {
    let inspection = try Self.reading { try StoreInspection(path: path) }
    self.path = path
    uuid = inspection.uuid
    type = inspection.metadata[NSStoreTypeKey] as? String
    framework = (inspection.metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue
    versionIdentifiers = (inspection.metadata["NSStoreModelVersionIdentifiers"] as? [String] ?? []).filter {
      !$0.isEmpty
    }
    entities = inspection.entities.map {
      Entity(
        name: $0.name, number: $0.number, superentity: $0.superName, table: $0.table, rows: $0.rows,
        largestKey: $0.largestKey)
    }
    total = inspection.total
    joinTables = inspection.joinTables.map { Table(name: $0.name, rows: $0.rows) }
    otherTables = inspection.otherTables.map { Table(name: $0.name, rows: $0.rows) }
    guard let modelPath else {
      keptModel = inspection.keptModel.map { ModelListing.lines($0) }
      guard withHistory else { return }
      guard let kept = inspection.keptModel else {
        throw Unusable(description: "\(path) keeps no copy of its model: give --model, to name what was changed")
      }
      history = try Self.reading { try HistoryListing(path, kept) }
      return
    }
    keptModel = nil
    let (file, read) = try Self.reading { () throws -> (ModelFile, NSManagedObjectModel) in
      let file = try ModelFile(modelPath)
      let version = if let version { try file.version(version) } else { try file.current }
      return (file, try NSManagedObjectModel(reading: file, version: version, plainObjects: true))
    }
    let stored = inspection.metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    var fit = Fit(
      path: modelPath, differences: try Self.reading { try StoreInspection.differences(path: path, model: read) },
      sameVersionHashes: read.entityVersionHashesByName.count { stored[$0.key] == $0.value })
    if !fit.differences.isEmpty {
      fit.fittingVersion = file.versions.first { Self.fits($0, of: file, path) }?.name
    }
    if fit.differences.isEmpty {
      let walk = try Self.reading { try StoreWalk(path: path, model: read) }
      precondition(walk.disagreements.count <= walk.disagreementCount, "only the first of them are listed")
      let objects = Dictionary(walk.entities.map { ($0.name, $0.objects) }) { first, _ in first }
      for index in entities.indices { entities[index].objects = objects[entities[index].name] }
      fit.references = walk.references
      fit.disagreements = walk.disagreements
      fit.disagreementCount = walk.disagreementCount
    }
    model = fit
    // Of another version of the model the bits of changes would name other properties.
    if withHistory, fit.differences.isEmpty { history = try Self.reading { try HistoryListing(path, read) } }
  }

  private static func fits(_ version: ModelFile.Version, of file: ModelFile, _ path: String) -> Bool {
    guard let model = try? NSManagedObjectModel(reading: file, version: version, plainObjects: true) else {
      return false
    }
    return (try? StoreInspection.differences(path: path, model: model).isEmpty) ?? false
  }

  private static func reading<Result>(_ body: () throws -> Result) throws(Unusable) -> Result {
    do {
      return try body()
    } catch {
      // Errors of the stack's own say more than Foundation makes of them.
      let isCocoa = Swift.type(of: error) is NSError.Type
      throw Unusable(description: isCocoa ? (error as NSError).localizedDescription : "\(error)")
    }
  }

  /// Whether there is nothing to complain of: the model, where one was given, fits, and relationships agree.
  var isFine: Bool {
    guard let model else { return true }
    return model.differences.isEmpty && model.disagreementCount == 0 && wrongNumbers.isEmpty
  }

  /// Entities of which a fetch finds another number of objects than there are rows with the entity's number.
  private var wrongNumbers: [String] {
    entities.compactMap { entity in
      guard let objects = entity.objects, Int64(objects) != entity.rows else { return nil }
      return
        "\(entity.name): \(entity.rows) rows have its number \(entity.number) in Z_ENT, and a fetch finds \(objects)"
    }
  }

  /// The listing as JSON, keys sorted.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  /// The listing as text, with a newline at its end.
  var text: String {
    var lines = ["\(path): Core Data store \(uuid)" + (type.map { ", type \($0)" } ?? "")]
    if let framework { lines[0] += ", made by framework version \(framework)" }
    if !versionIdentifiers.isEmpty { lines[0] += ", model version \(versionIdentifiers.joined(separator: ", "))" }
    lines += table.split(separator: "\n").map(String.init)
    if !joinTables.isEmpty {
      lines.append("join tables: " + joinTables.map { "\($0.name) \($0.rows)" }.joined(separator: ", "))
    }
    if !otherTables.isEmpty {
      lines.append("other tables: " + otherTables.map { "\($0.name) \($0.rows)" }.joined(separator: ", "))
    }
    if let model { lines += Self.lines(model, of: entities.count) + wrongNumbers }
    if let history { lines += [""] + history.lines }
    if let keptModel { lines += ["", "the file's copy of its model:"] + keptModel }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ model: Fit, of count: Int) -> [String] {
    let hashes = "version hashes: \(model.sameVersionHashes) of \(count) entities have the model's"
    guard model.differences.isEmpty else {
      let hint = model.fittingVersion.map { ["the version \($0) fits: --model-version '\($0)'"] } ?? []
      return [hashes, "\(model.path) does not fit:"] + model.differences.map { "  \($0)" } + hint
    }
    var lines = [hashes, "\(model.path) fits; \(model.references ?? 0) references of relationships followed"]
    if model.disagreementCount > 0 {
      lines.append("\(model.disagreementCount) of them disagree:")
      lines += model.disagreements.map { "  \($0)" }
      if model.disagreementCount > model.disagreements.count { lines.append("  …") }
    }
    return lines
  }

  private var table: String {
    let hasObjects = entities.contains { $0.objects != nil }
    var columns: [TextTable.Column] = [
      .left("entity"), .right("number"), .left("inherits from"), .left("table"), .right("rows"), .right("largest key"),
    ]
    if hasObjects { columns.append(.right("objects")) }
    var table = TextTable(columns: columns)
    for entity in entities {
      table.append(
        [
          entity.name, "\(entity.number)", entity.superentity ?? "", entity.table ?? "none", "\(entity.rows)",
          "\(entity.largestKey)",
        ] + (hasObjects ? [entity.objects.map(String.init) ?? ""] : []))
    }
    let objects = entities.reduce(0) { $0 + ($1.objects ?? 0) }
    table.append(["total", "", "", "", "\(total)", ""] + (hasObjects ? ["\(objects)"] : []))
    return table.rendered()
  }
}
