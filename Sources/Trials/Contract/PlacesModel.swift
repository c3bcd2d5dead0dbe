import Cells
import CoreData
import Scheduling

/// A model of two configurations, for stores that have all of it or a part.
enum PlacesModel {
  static let entities = ["Left", "Right"]
  static let configurations: [String?] = [nil, nil, "Lefts", "Rights"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  /// Whether a store of a configuration takes objects of an entity.
  static func takes(_ entity: String, _ configuration: String?) -> Bool {
    configuration == nil || configuration == entity + "s"
  }

  private static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let made = entities.map { name in
      let (entity, text) = (
        ModelParts.entity(name), ModelParts.attribute("text", .stringAttributeType, isOptional: true)
      )
      text.setValidationPredicates([NSPredicate(format: "length <= 5")], withValidationWarnings: nil)
      entity.properties.append(text)
      return entity
    }
    precondition(made.count == 2, "each entity has a configuration of its own")
    model.entities = made
    for entity in made { model.setEntities([entity], forConfigurationName: (entity.name ?? "") + "s") }
    return model
  }
}

/// The stores of a coordinator as they are to be, found by hand.
struct PlacesScene {
  /// A store that is open.
  struct Open {
    let store: NSPersistentStore
    var url: URL
    let type: String
    let configuration: String?
    let isReadOnly: Bool
    let uuid: String
    /// The keys that were set, with their values in words: of the store, and of its file.
    var metadata: [String: String] = [:]
    var written: [String: String] = [:]
    /// The numbers of its objects by their URIs.
    var objects: [URL: Int] = [:]

    var isFile: Bool { type == NSSQLiteStoreType }
  }

  /// A file of which the store is not open.
  struct Closed {
    let url: URL
    let configuration: String?
    let uuid: String
    var written: [String: String] = [:]
    var objects: [URL: Int] = [:]
  }

  let coordinator: NSPersistentStoreCoordinator
  let log: PlacesLog
  var open: [Open] = []
  var closed: [Closed] = []
  /// The notifications that are expected since the last look.
  var posts: [PlacesLog.Post] = []

  /// The store that an unassigned object of an entity goes to.
  func home(of entity: String) -> Int? {
    open.firstIndex { PlacesModel.takes(entity, $0.configuration) && !$0.isReadOnly }
  }

  mutating func expect(_ name: String, _ key: String?, _ uuids: [String], count: Int? = nil) {
    precondition(!uuids.isEmpty, "a notification names a store")
    posts.append(
      PlacesLog.Post(name: name, lists: key.map { [$0: uuids] } ?? [:], uuids: uuids, count: count ?? open.count))
  }

  /// The metadata keys that were set by hand, with their values in words.
  static func texts(_ metadata: [String: Any]?) -> [String: String] {
    (metadata ?? [:]).filter { $0.key.hasPrefix("key") }.mapValues(text)
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case let text as String: "text " + text.unicodeScalars.map { String($0.value) }.joined(separator: " ")
    case let data as Data: "data " + data.base64EncodedString()
    case let date as Date: "date \(date.timeIntervalSinceReferenceDate)"
    case let list as [Any]: "list \(list.map(text))"
    case let parts as [String: Any]:
      "parts \(parts.mapValues(text).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
    case let number as NSNumber: "number \(number.stringValue)"
    default: "\(value)"
    }
  }
}

/// The notifications about a coordinator's stores, with all that they say.
final class PlacesLog: Sendable {
  struct Post: Equatable, Sendable {
    let name: String
    /// The UUIDs of the stores of each list.
    let lists: [String: [String]]
    /// The same of all lists, and of the notification's object.
    let uuids: [String]
    /// How many stores the coordinator had then.
    let count: Int
  }

  private let environment: StrategyEnvironment
  private let posts = Locked<[Post]>([])
  /// The URIs of the objects of the last move: of each the old one, and the new one.
  private let moved = Locked<[URL]>([])
  // Tokens are only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let tokens: [any NSObjectProtocol]

  init(_ environment: StrategyEnvironment, _ coordinator: NSPersistentStoreCoordinator) {
    self.environment = environment
    let names: [(Notification.Name, String)] = [
      (.NSPersistentStoreCoordinatorStoresDidChange, "did-change"),
      (.NSPersistentStoreCoordinatorStoresWillChange, "will-change"),
      (.NSPersistentStoreCoordinatorWillRemoveStore, "will-remove"),
    ]
    tokens = names.map { [posts, moved] name, text in
      let isOfStore = text == "will-remove"
      return environment.addObserver(forName: name, object: isOfStore ? nil : coordinator) { notification in
        let store = notification.object as? NSPersistentStore
        guard !isOfStore || store?.persistentStoreCoordinator === coordinator else { return }
        var lists: [String: [String]] = [:]
        for (key, value) in notification.userInfo ?? [:] {
          let members = value as? [Any] ?? []
          lists["\(key)"] = members.compactMap { ($0 as? NSPersistentStore)?.identifier }
          guard let ids = members.compactMap({ $0 as? [NSManagedObjectID] }).first else { continue }
          moved.withLock { $0 = ids.map { $0.uriRepresentation() } }
        }
        let own = [store?.identifier].compactMap { $0 }
        let post = Post(
          name: text, lists: lists, uuids: own + lists.keys.sorted().flatMap { lists[$0] ?? [] },
          count: coordinator.persistentStores.count)
        posts.withLock { $0.append(post) }
      }
    }
  }

  func removeAll() -> [Post] {
    posts.withLock { posts in
      defer { posts = [] }
      return posts
    }
  }

  func removeMoved() -> [URL] {
    moved.withLock { moved in
      defer { moved = [] }
      return moved
    }
  }

  func end() { for token in tokens { environment.removeObserver(token) } }
}
