import CoreData
import SQLite

/// Stores with damaged files: opened, every object fetched and walked, edited and saved.
struct StoreTarget: FuzzTarget {
  /// The bytes of a store's file and its WAL, and SQL that damages its tables.
  struct Input {
    var file: [UInt8]
    var wal: [UInt8]
    var sql: [String] = []
    var kind: String
  }

  private let model: NSManagedObjectModel
  private let folder: URL
  /// A store without a WAL, and one with its rows in its WAL.
  private let samples: [Input]
  /// By the name of their entity; looked up once, since descriptions make their lists anew each time.
  private let properties: [String: [(name: String, isAttribute: Bool)]]

  init() throws {
    model = try NSManagedObjectModel(xml: Data(StoreSample.model.utf8), plainObjects: true)
    let memory = URL(fileURLWithPath: "/dev/shm")
    let root = FileManager.default.fileExists(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
    folder = root.appendingPathComponent("contextbench-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    samples = try StoreSample.make(model, folder)
    properties = model.entitiesByName.mapValues { entity in
      entity.propertiesByName.map { ($0.key, $0.value is NSAttributeDescription) }
    }
  }

  func description(of input: Input) -> String {
    "\(input.kind): \(input.file.count) bytes, WAL \(input.wal.count) bytes \(input.sql.joined(separator: "; "))"
  }

  // MARK: Damage

  func input(_ generator: inout FuzzGenerator) -> Input {
    var input = generator.element(samples)
    switch generator.below(8) {
    case 0:
      input.kind = "bytes"
      input.file = Mutation.damaged(input.file, &generator)
    case 1:
      input.kind = "bits"
      for _ in 0...generator.below(12) { flip(&input.file, 0..<input.file.count, &generator) }
    case 2:
      input.kind = "page headers"
      for _ in 0...generator.below(4) {
        let page = generator.below(max(1, input.file.count / StoreSample.pageSize)) * StoreSample.pageSize
        flip(&input.file, page..<min(page + (page == 0 ? 112 : 12), input.file.count), &generator)
      }
    case 3:
      input.kind = "cut"
      input.file.removeLast(generator.below(input.file.count))
    case 4 where !input.wal.isEmpty:
      input.kind = "WAL"
      input.wal = Mutation.damaged(input.wal, &generator)
    case 5 where !input.wal.isEmpty:
      input.kind = "WAL cut"
      input.wal.removeLast(generator.below(input.wal.count))
    default:
      input.kind = "values"
      input.sql = (0...generator.below(6)).map { _ in StoreSample.damage(&generator) }
    }
    return input
  }

  private func flip(_ bytes: inout [UInt8], _ range: Range<Int>, _ generator: inout FuzzGenerator) {
    guard !range.isEmpty else { return }
    bytes[range.lowerBound + generator.below(range.count)] ^= 1 << UInt8(generator.below(8))
  }

  // MARK: Use

  func run(_ input: Input, _ generator: inout FuzzGenerator) -> FuzzOutcome {
    let url = folder.appendingPathComponent("case.sqlite")
    defer { removeFiles(url) }
    do {
      try Data(input.file).write(to: url)
      if !input.wal.isEmpty { try Data(input.wal).write(to: URL(fileURLWithPath: url.path + "-wal")) }
      if !input.sql.isEmpty {
        let connection = try Connection(path: url.path)
        // A statement that a table refuses is no damage.
        for sql in input.sql { try? connection.execute(sql) }
      }
      _ = try? StoreInspection(path: url.path)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: generator.oneIn(5) ? [NSReadOnlyPersistentStoreOption: true] : nil)
      defer { try? coordinator.remove(store) }
      var outcome = FuzzOutcome.read
      for _ in 0..<2 {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = generator.element([
          NSErrorMergePolicy, NSMergeByPropertyObjectTrumpMergePolicy, NSOverwriteMergePolicy,
        ])
        context.performAndWait {
          do {
            try walk(context)
            try edit(context, &generator)
          } catch {
            outcome = .refused
          }
        }
      }
      return outcome
    } catch {
      return .refused
    }
  }

  private func removeFiles(_ url: URL) {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    try? FileManager.default.removeItem(at: folder.appendingPathComponent(".case_SUPPORT"))
  }

  private func objects(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request)
  }

  /// Reads every value of every object, and of the objects that relationships lead to.
  private func walk(_ context: NSManagedObjectContext) throws {
    var text = 0
    for entity in model.entities {
      for object in try objects(entity.name ?? "", context) {
        for (name, isAttribute) in properties[object.entity.name ?? ""] ?? [] {
          let value = object.value(forKey: name)
          if isAttribute {
            text &+= value.map { "\($0)".utf8.count } ?? 0
          } else if let members = value as? Set<NSManagedObject> {
            for member in members { _ = member.value(forKey: "name") }
          } else if let members = value as? NSOrderedSet {
            for member in members.array { _ = (member as? NSManagedObject)?.value(forKey: "name") }
          } else {
            _ = (value as? NSManagedObject)?.value(forKey: "name")
          }
        }
      }
    }
    _ = text
  }

  private func edit(_ context: NSManagedObjectContext, _ generator: inout FuzzGenerator) throws {
    let (nodes, tags) = (try objects("Node", context), try objects("Tag", context))
    for object in (nodes + tags).prefix(6) { object.setValue("new \(generator.below(1_000_000))", forKey: "name") }
    let leaf = NSEntityDescription.insertNewObject(forEntityName: "Leaf", into: context)
    leaf.setValue("leaf \(generator.next())", forKey: "name")
    leaf.setValue(["x", generator.below(9)] as [Any], forKey: "list")
    if let node = nodes.first {
      leaf.setValue(node, forKey: "parent")
      node.mutableOrderedSetValue(forKey: "children").insert(leaf, at: 0)
      node.mutableSetValue(forKey: "loose").addObjects(from: tags)
      node.mutableOrderedSetValue(forKey: "tags").add(
        tags.last ?? NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context))
      node.setValue(nodes.last, forKey: "favourite")
    }
    if nodes.count > 2, generator.oneIn(2) { context.delete(nodes[generator.below(nodes.count)]) }
    if tags.count > 1, generator.oneIn(2) { context.delete(tags[generator.below(tags.count)]) }
    try context.save()
    leaf.setValue(2, forKey: "number")
    try context.save()
  }
}
