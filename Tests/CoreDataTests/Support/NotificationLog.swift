import Scheduling

@testable import CoreData

/// The notifications of one context, in the order in which they came.
final class NotificationLog: Sendable {
  /// One notification, by value.
  struct Entry: Equatable, CustomStringConvertible {
    /// `will`, `did` or `changed`.
    let kind: String
    /// Keys of the user info with the names of the objects under them, sorted.
    let sets: [String: [String]]
    /// Whether it came while the posting thread held the context's queue.
    let wasOnQueue: Bool

    var description: String {
      kind + sets.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value.joined(separator: ","))" }.joined()
    }
  }

  /// Key of all the objects that a merge has changed, which tests of their own look at.
  static let mergeKey = "NSObjectsChangedByMergeChangesKey"

  private static let kinds: [(Notification.Name, String)] = [
    (.NSManagedObjectContextWillSave, "will"), (.NSManagedObjectContextDidSave, "did"),
    (.NSManagedObjectContextObjectsDidChange, "changed"),
  ]

  private let log = Locked<[Entry]>([])
  private let saves = Locked<[Notification]>([])
  // Sendable: written once, in `init`.
  nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []

  init(_ context: NSManagedObjectContext) {
    for (name, kind) in Self.kinds {
      tokens.append(
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
          self?.append(kind, $0)
        })
    }
  }

  deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

  private func append(_ kind: String, _ notification: Notification) {
    var sets: [String: [String]] = [:]
    for (key, value) in notification.userInfo ?? [:] {
      guard let key = key as? String, let objects = value as? Set<NSManagedObject>, key != Self.mergeKey else {
        continue
      }
      sets[key] = objects.map(Self.name).sorted()
    }
    let context = notification.object as? NSManagedObjectContext
    log.withLock { [sets] in
      $0.append(Entry(kind: kind, sets: sets, wasOnQueue: context?.queue.isHeld ?? false))
    }
    if kind == "did" { saves.withLock { $0.append(notification) } }
  }

  private static func name(_ object: NSManagedObject) -> String {
    switch object {
    case let note as Note where !note.isFault: "note \(note.number)"
    case let word as Word where !word.isFault: "word \(word.term ?? "nil")"
    default: "fault \(object.objectID.uriRepresentation().lastPathComponent)"
    }
  }

  /// The entries since the last call.
  func take() -> [Entry] {
    log.withLock { log in
      defer { log = [] }
      return log
    }
  }

  /// The same as text.
  func takeText() -> [String] { take().map(\.description) }

  /// The `DidSave` notifications so far.
  var didSaves: [Notification] { saves.withLock { $0 } }
}
