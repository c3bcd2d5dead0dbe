import SQLite

@testable import CoreData

/// Items on shelves; a shelf has values that the store derives from its items.
enum Shelves {
  static func model() -> NSManagedObjectModel {
    let (item, shelf) = (
      Notebook.entity("Item", NSManagedObject.self), Notebook.entity("Shelf", NSManagedObject.self)
    )
    let place = Notebook.relationship("shelf", to: shelf, maxCount: 1)
    let items = Notebook.relationship("items", to: item, maxCount: 0, rule: .cascadeDeleteRule)
    (place.inverseRelationship, items.inverseRelationship) = (items, place)
    item.properties = [
      Notebook.attribute("number", .integer64AttributeType, defaultValue: 0),
      Notebook.attribute("name", .stringAttributeType), place,
    ]
    shelf.properties = [
      Notebook.attribute("label", .stringAttributeType), items,
      derived("count", "items.@count"), derived("total", "items.number.@sum"),
    ]
    let model = NSManagedObjectModel()
    model.entities = [item, shelf]
    return model
  }

  private static func derived(_ name: String, _ expression: String) -> NSAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = .integer64AttributeType
    attribute.derivationExpression = NSExpression(format: expression)
    return attribute
  }

  /// The contents of the file, read past every stack: a line a row, in the order of keys.
  struct Contents: Equatable {
    /// By primary key: number, name, key of the shelf.
    var items: [Int64: String] = [:]
    /// By primary key: label, count, total.
    var shelves: [Int64: String] = [:]
    /// Keys of items by that of their shelf.
    var members: [Int64: Set<Int64>] = [:]

    init() {}

    init(of url: URL) throws {
      let connection = try Connection(path: url.path, mode: .readOnly)
      let rows = try connection.prepare("SELECT Z_PK, ZNUMBER, ZNAME, ZSHELF FROM ZITEM")
      while try rows.step() {
        let (key, shelf) = (rows.int64(at: 0), rows.isNull(at: 3) ? nil : rows.int64(at: 3))
        items[key] = Contents.item(rows.int64(at: 1), rows.string(at: 2), shelf)
        if let shelf { members[shelf, default: []].insert(key) }
      }
      let shelves = try connection.prepare("SELECT Z_PK, ZLABEL, ZCOUNT, ZTOTAL FROM ZSHELF")
      while try shelves.step() {
        let key = shelves.int64(at: 0)
        self.shelves[key] = Contents.shelf(shelves.string(at: 1), shelves.int64(at: 2), shelves.int64(at: 3))
        members[key, default: []].formUnion([])
      }
    }

    static func item(_ number: Int64, _ name: String, _ shelf: Int64?) -> String {
      "\(number) \(name) on \(shelf.map { "\($0)" } ?? "no shelf")"
    }

    static func shelf(_ label: String, _ count: Int64, _ total: Int64) -> String { "\(label) \(count) \(total)" }
  }
}

extension NSManagedObject {
  /// The primary key in the file.
  var rowKey: Int64 { Int64(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }

  private func integer(_ key: String) -> Int64 { value(forKey: key) as? Int64 ?? -1 }

  /// The item as ``Shelves/Contents`` writes it.
  var itemText: String {
    Shelves.Contents.item(
      integer("number"), value(forKey: "name") as? String ?? "nil", (value(forKey: "shelf") as? NSManagedObject)?.rowKey
    )
  }

  /// The shelf as ``Shelves/Contents`` writes it.
  var shelfText: String {
    Shelves.Contents.shelf(value(forKey: "label") as? String ?? "nil", integer("count"), integer("total"))
  }

  var itemKeys: Set<Int64> { Set((value(forKey: "items") as? Set<NSManagedObject> ?? []).map(\.rowKey)) }
}
