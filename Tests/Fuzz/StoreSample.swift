import CoreData
import SQLite

/// The store that is damaged: small, with every kind of attribute and relationship.
enum StoreSample {
  /// Small pages make a small file of many.
  static let pageSize = 512

  static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Node">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="number" optional="YES" attributeType="Integer 16"/>
        <attribute name="flag" optional="YES" attributeType="Boolean"/>
        <attribute name="ratio" optional="YES" attributeType="Float"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="date" optional="YES" attributeType="Date"/>
        <attribute name="uuid" optional="YES" attributeType="UUID"/>
        <attribute name="url" optional="YES" attributeType="URI"/>
        <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="list" optional="YES" attributeType="Transformable"/>
        <attribute name="childCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="children.@count"/>
        <relationship name="children" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Node" inverseName="parent" inverseEntity="Node"/>
        <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Node" inverseName="children" inverseEntity="Node"/>
        <relationship name="favourite" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Node"/>
        <relationship name="tags" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="nodes" inverseEntity="Tag"/>
        <relationship name="loose" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag"/>
      </entity>
      <entity name="Leaf" parentEntity="Node">
        <attribute name="colour" optional="YES" attributeType="String"/>
      </entity>
      <entity name="Tag">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="nodes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Node" inverseName="tags" inverseEntity="Node"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
    </model>
    """

  /// A store without a WAL, and the same with its last changes in one.
  static func make(_ model: NSManagedObjectModel, _ folder: URL) throws -> [StoreTarget.Input] {
    let url = folder.appendingPathComponent("sample.sqlite")
    try use(model, url) { _ in }
    let connection = try Connection(path: url.path)
    try connection.execute("PRAGMA journal_mode = DELETE")
    try connection.execute("PRAGMA page_size = \(pageSize)")
    try connection.execute("VACUUM")
    try connection.execute("PRAGMA journal_mode = WAL")
    try use(model, url, fill)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let quiet = StoreTarget.Input(file: try bytes(url.path), wal: [], kind: "sample")
    try use(model, url) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      for node in try context.fetch(request) { node.setValue(7, forKey: "number") }
    }
    let busy = StoreTarget.Input(file: try bytes(url.path), wal: try bytes(url.path + "-wal"), kind: "sample with WAL")
    return [quiet, busy]
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func use(
    _ model: NSManagedObjectModel, _ url: URL, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      try body(context)
      try context.save()
    }
    try coordinator.remove(store)
  }

  private static func fill(_ context: NSManagedObjectContext) {
    func insert(_ entity: String, _ name: String) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue(name, forKey: "name")
      return object
    }
    let tags = (0..<4).map { insert("Tag", "tag \($0)") }
    let nodes = (0..<8).map { insert($0 % 3 == 0 ? "Leaf" : "Node", "node \($0)") }
    for (number, node) in nodes.enumerated() {
      node.setValue(number * 1000, forKey: "number")
      node.setValue(number % 2 == 0, forKey: "flag")
      node.setValue(Float(number) / 3, forKey: "ratio")
      node.setValue(Decimal(number) / 7, forKey: "price")
      node.setValue(Date(timeIntervalSinceReferenceDate: Double(number) - 4), forKey: "date")
      node.setValue(UUID(), forKey: "uuid")
      node.setValue(URL(string: "https://a.example/\(number)"), forKey: "url")
      node.setValue(Data(repeating: 1, count: number * 40), forKey: "data")
      node.setValue(["k": number, "l": ["a", "b"]] as [String: Any], forKey: "list")
      node.setValue(nodes[number / 2], forKey: "parent")
      node.setValue(nodes[7 - number], forKey: "favourite")
      node.setValue(NSOrderedSet(array: Array(tags.reversed().prefix(number % 4))), forKey: "tags")
    }
    nodes[1].setValue(Set(tags[0...2]), forKey: "loose")
  }

  private static let columns: [(table: String, columns: [String])] = [
    (
      "ZNODE",
      [
        "Z_PK", "Z_ENT", "Z_OPT", "ZNUMBER", "ZFLAG", "ZPARENT", "ZFAVOURITE", "Z_FOK_PARENT", "Z1_FAVOURITE",
        "Z1_PARENT",
        "ZDATE", "ZRATIO", "ZPRICE", "ZNAME", "ZURL", "ZDATA", "ZLIST", "ZUUID", "ZCHILDCOUNT", "ZCOLOUR",
      ]
    ), ("ZTAG", ["Z_PK", "Z_ENT", "Z_OPT", "Z1LOOSE", "ZNAME"]), ("Z_1TAGS", ["Z_1NODES", "Z_3TAGS", "Z_FOK_3TAGS"]),
    ("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]), ("Z_METADATA", ["Z_VERSION", "Z_UUID", "Z_PLIST"]),
  ]
  private static let values = [
    "NULL", "0", "-1", "1", "2", "99", "9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "9e999", "''",
    "'text'", "'nan'", "X''", "X'00'", "X'01'", "X'0200'", "X'022E2E2F2E2E00'", "X'02612F62'", "zeroblob(100000)",
    "X'62706C6973743030'", "char(0)", "CAST(X'FFFE' AS TEXT)", "'1.5e400'", "'http://[::1'", "randomblob(16)", "2.5",
    "hex(zeroblob(3000))", "ZNAME", "Z_PK", "Z_ENT", "Z_OPT + 1", "-Z_PK",
  ]

  /// A statement that puts a value that is never written into a table.
  static func damage(_ generator: inout FuzzGenerator) -> String {
    let (table, columns) = generator.element(Self.columns)
    let condition = "(rowid % \(1 + generator.below(4))) = \(generator.below(2))"
    switch generator.below(14) {
    case 0: return "DELETE FROM \(table) WHERE \(condition)"
    case 1: return "DROP TABLE \(table)"
    case 2: return "ALTER TABLE \(table) DROP COLUMN \(generator.element(columns))"
    case 3: return "DROP INDEX Z_Tag_UNIQUE_name; UPDATE ZTAG SET ZNAME = 'same'"
    case 4:
      return "UPDATE ZNODE SET ZLIST = substr(ZLIST, 1, \(generator.below(120))) || randomblob(\(generator.below(60)))"
    default:
      return
        "UPDATE OR REPLACE \(table) SET \(generator.element(columns)) = \(generator.element(values)) WHERE \(condition)"
    }
  }
}
