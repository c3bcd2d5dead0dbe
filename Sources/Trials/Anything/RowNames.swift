import CoreData

/// The numbers of objects by the IDs of their rows in the file, deleted ones included: an ID says which object it is, and
/// nothing is read for it.
///
/// Concurrency: used by one thread at a time.
final class RowNames {
  /// A row by its table and `Z_PK`.
  struct Row: Hashable {
    let table: String
    let key: Int64
  }

  private let tables: [String: String]
  private let store: String
  private var names: [Row: Int] = [:]
  /// The entity of each object.
  private var entities: [Int: String] = [:]
  private var keys: [Int: Int64] = [:]

  /// - Parameter store: the store's UUID.
  init(_ map: StoreMap, store: String) {
    precondition(!store.isEmpty, "the IDs of a store's rows have its UUID")
    self.store = store
    tables = Dictionary(map.entities.map { ($0.name, $0.table) }, uniquingKeysWith: { first, _ in first })
  }

  /// Learns of the rows that the file has now. A key is given out once, so that none of before is forgotten.
  func learn(_ picture: FilePicture) {
    for (row, name) in picture.names {
      // A merge policy may have given the row to another object.
      if let old = names.updateValue(name, forKey: row), old != name { keys[old] = nil }
      (keys[name], entities[name]) = (row.key, picture.graph.nodes[name]?.entity)
    }
  }

  /// The number of the object with a permanent ID; 0 for one without a row in any file that was read.
  func name(of id: NSManagedObjectID) -> Int { row(of: id).flatMap { names[$0] } ?? 0 }

  /// The IDs of the rows of objects, as URIs.
  func ids(of names: Set<Int>) -> [URL] { names.sorted().compactMap(id) }

  /// The ID of an object's row, as a URI; nil without a row in any file that was read.
  func id(of name: Int) -> URL? {
    guard let key = keys[name], let entity = entities[name] else { return nil }
    return URL(string: "x-coredata://\(store)/\(entity)/p\(key)")
  }

  /// Objects with a row in the file, deleted ones included.
  var all: [Int] { keys.keys.sorted() }

  private func row(of id: NSManagedObjectID) -> Row? {
    guard !id.isTemporaryID, let table = id.entity.name.flatMap({ tables[$0] }),
      let key = Int64(id.uriRepresentation().lastPathComponent.dropFirst())
    else { return nil }
    return Row(table: table, key: key)
  }
}
