import CoreData

/// An object with a transient attribute, which it can compute as it awakes.
final class ScratchPad: NSManagedObject {
  private static let nameKey = _PropertyKey("name")
  private static let cacheKey = _PropertyKey("cache")
  private static let noteKey = _PropertyKey("note")

  var events: [NSSnapshotEventType] = []

  var name: String? {
    get { _string(Self.nameKey) }
    set { _setString(Self.nameKey, newValue) }
  }
  /// Transient.
  var cache: String? {
    get { _string(Self.cacheKey) }
    set { _setString(Self.cacheKey, newValue) }
  }
  /// Set as the object awakes from a fetch when ``name`` begins with "awake".
  var note: String? {
    get { _string(Self.noteKey) }
    set { _setString(Self.noteKey, newValue) }
  }

  override func awakeFromFetch() {
    guard name?.hasPrefix("awake") ?? false else { return }
    cache = "computed"
    note = "computed"
  }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    events.append(flags)
    if name?.hasPrefix("awake") ?? false { cache = "again" }
  }
}

/// A model of one entity with a transient attribute.
enum Scratch {
  static func model() -> NSManagedObjectModel {
    let pad = Notebook.entity("ScratchPad", ScratchPad.self)
    let cache = Notebook.attribute("cache", .stringAttributeType)
    cache.isTransient = true
    pad.properties = [
      Notebook.attribute("name", .stringAttributeType), cache, Notebook.attribute("note", .stringAttributeType),
    ]
    let model = NSManagedObjectModel()
    model.entities = [pad]
    return model
  }
}

extension NSManagedObjectContext {
  /// The only pad; on this context's queue.
  func pad() throws -> ScratchPad? { try fetch(NSFetchRequest<ScratchPad>(entityName: "ScratchPad")).first }
}
