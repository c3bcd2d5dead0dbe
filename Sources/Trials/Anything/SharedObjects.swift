import Cells
import Boundary
import Checking
import CoreData
import Scheduling

/// Objects that all clients change at the same time, each in contexts of its own that hear of the others sooner or later.
///
/// Meanwhile a context may show one of many states of them, and a conflict may end in one of many. For every order and every
/// policy: an object that was saved and never deleted is in the file, each value in the file was saved by a client, and once
/// all is quiet and merged every context shows the file's values (``check(_:)``).
///
/// Concurrency: saves are recorded on the threads that make them; it is asked by one thread at a time, while no client runs.
final class SharedObjects: @unchecked Sendable {
  // Sendable: the members that saves write are locked; the rest is touched by one thread at a time.

  /// The island of every shared object, as its attribute has it; numbers of objects are given out by client above it.
  static let island = 10_000

  static func isOne(_ name: Int) -> Bool { DrawnEdits.island(of: name) > island }

  private struct State {
    var names: [URL: Int] = [:]
    var inserted: Set<Int> = []
    var deleted: Set<Int> = []
    /// The texts that an attribute of an object was ever saved with; nil for null.
    var values: [ObjectGraph.Side: Set<String?>] = [:]
  }

  private let session: CellSession
  private let model: DrawnModel
  private let reader: FileReader
  private let state = Locked(State())
  /// Earlier states of the file, to tell old values from wrong ones.
  private var past: [ObjectGraph] = []
  // The token is only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  private static let pastMax = 6

  init(session: CellSession, model: DrawnModel) throws {
    (self.session, self.model) = (session, model)
    reader = try FileReader(model, session.container.managedObjectModel, path: session.storePath)
    token = session.environment.addObserver(forName: .NSManagedObjectContextDidSave, object: nil) {
      [state] notification in
      guard let context = notification.object as? NSManagedObjectContext, context.parent == nil else { return }
      func objects(_ key: String) -> [NSManagedObject] {
        Array(notification.userInfo?[key] as? Set<NSManagedObject> ?? [])
      }
      let picture = ContextPicture(model: model, island: Self.island, context: context)
      Self.record(inserted: objects(NSInsertedObjectsKey), updated: objects(NSUpdatedObjectsKey), picture, state)
      let deleted = objects(NSDeletedObjectsKey).map { $0.objectID.uriRepresentation() }
      state.withLock { state in state.deleted.formUnion(deleted.compactMap { state.names[$0] }) }
    }
  }

  private static func record(
    inserted: [NSManagedObject], updated: [NSManagedObject], _ picture: ContextPicture, _ state: Locked<State>
  ) {
    let isInserted = Set(inserted.map(ObjectIdentifier.init))
    for object in inserted + updated where !object.isFault && object.entity.attributesByName[DrawnModel.island] != nil {
      guard (object.value(forKey: DrawnModel.island) as? NSNumber)?.intValue == island else { continue }
      let name = ContextPicture.name(of: object)
      let attributes = picture.model.entity(object.entity.name ?? "").attributes
      let values = attributes.map { ($0, picture.value($0, of: object)) }
      let id = object.objectID.uriRepresentation()
      state.withLock { state in
        state.names[id] = name
        if isInserted.contains(ObjectIdentifier(object)) { state.inserted.insert(name) }
        for (attribute, value) in values {
          state.values[ObjectGraph.Side(name: name, relationship: attribute), default: []].insert(value)
        }
      }
    }
  }

  func end() { session.environment.removeObserver(token) }

  // MARK: Checking

  /// Checks, once all is quiet, that the file holds all saves, and that each of the contexts shows them when it has merged
  /// them, and after a refresh as well.
  ///
  /// - Throws: SQLite's error, or a fetch's.
  func check(_ contexts: [SharedContext]) throws {
    precondition(!contexts.isEmpty, "shared objects are changed by some context")
    let picture = try FilePicture(reader)
    var file = ObjectGraph(model)
    file.nodes = picture.graph.nodes.filter { Self.isOne($0.key) }
    guard checkFile(picture, file) else { return }
    for context in contexts { context.becomeQuiet() }
    for context in contexts where try !context.isSettled(file, self) { return }
    let main = session.strategy.mainContext
    if try !session.faults.mayBeLate && !compare(file, main, "main") { return }
    past.append(file)
    if past.count > Self.pastMax { past.removeFirst() }
    precondition(past.count <= Self.pastMax, "only the latest states are kept")
  }

  /// Whether the file holds all saves.
  private func checkFile(_ picture: FilePicture, _ file: ObjectGraph) -> Bool {
    let state = state.withLock { $0 }
    session.count(\.valuesCompared, file.nodes.count + state.inserted.count)
    let present = Set(file.nodes.keys)
    if let text = picture.dangling.first(where: { Self.isOne($0.name) })?.text {
      return report(.danglingReference, "a shared object in the file", "every key leads to a row", text)
    }
    if let name = picture.repeated.filter(Self.isOne).min() {
      return report(.duplicateRecord, "shared object \(name) in the file", "one row", "several rows")
    }
    if let lost = state.inserted.subtracting(state.deleted).subtracting(present).min() {
      return report(.lostRecord, "shared object \(lost) in the file", "the row that a save inserted", "no row")
    }
    if let pair = file.asymmetries.first {
      return report(
        .asymmetricInverse, "\(pair.relationship) of shared object \(pair.name) in the file",
        "\(pair.other) leads back", "it does not")
    }
    for (name, node) in file.nodes.sorted(by: { $0.key < $1.key }) {
      for attribute in model.entity(node.entity).attributes where FilePicture.shows(attribute, model) {
        let saved = state.values[ObjectGraph.Side(name: name, relationship: attribute)] ?? []
        guard !saved.contains(node.values[attribute]) else { continue }
        return report(
          .wrongValue, "\(attribute) of shared object \(name) in the file",
          "one of \(saved.map { ObjectGraph.text($0) }.sorted())", ObjectGraph.text(node.values[attribute]))
      }
      for count in model.counts(of: node.entity) {
        let stored = picture.counts[ObjectGraph.Side(name: name, relationship: count.name)] ?? 0
        guard stored != file.count(count, of: name) else { continue }
        return report(
          .wrongValue, "\(count.name) of shared object \(name) in the file", "\(file.count(count, of: name))",
          "\(stored)")
      }
    }
    return true
  }

  /// Whether a context shows the file's values.
  ///
  /// - Throws: a fetch's error.
  func compare(_ file: ObjectGraph, _ context: NSManagedObjectContext, _ name: String) throws -> Bool {
    let picture = ContextPicture(model: model, island: Self.island, context: context)
    let seen = try context.performAndWait { try picture.graph() }
    session.count(\.valuesCompared, max(1, file.nodes.count))
    session.countCheckedInverses(seen.nodes.count)
    if let first = file.differences(to: seen, comparing: { FilePicture.shows($0, self.model) }).first {
      let kind = AnythingFinding.kind(first, .context, file, seen, past: past)
      return report(
        kind, "\(first.what.text) of shared object \(first.name) in \(name)", "as the file has it: \(first.expected)",
        first.seen)
    }
    guard let pair = seen.asymmetries.first else { return true }
    return report(
      .asymmetricInverse, "\(pair.relationship) of shared object \(pair.name) in \(name)", "\(pair.other) leads back",
      "it does not")
  }

  /// False, so that the first violation is the only one.
  @discardableResult
  func report(_ kind: ViolationKind, _ subject: String, _ expected: String, _ seen: String) -> Bool {
    CellReports.report(Violation(kind: kind, subject: subject, expected: expected, seen: seen))
    return false
  }
}
