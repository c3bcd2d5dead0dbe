import Boundary
import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// One client of a storm: inserts into folders, deletes folders with all that belongs to them, and marks documents,
/// each in a unit of work of its own.
///
/// A refused unit is tried again on the store's newer state; when it is refused each time, it is given up.
/// Concurrency: used by one thread at a time.
final class StormClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  private enum Operation: String {
    case insertFolder = "insert-folder"
    case insertDocument = "insert-document"
    case deleteFolder = "delete-folder"
    case tag
  }

  /// How often each is drawn.
  private static let operations: [Operation] = [
    .insertFolder, .insertFolder, .insertDocument, .insertDocument, .insertDocument, .deleteFolder, .deleteFolder, .tag,
  ]
  private static let attemptsMax = 8
  private static let phase = "storm"

  private let session: CellSession
  private let forest: Forest
  private let units: UnitRecorder
  private let recorder: WorkerRecorder
  private let documents: Int
  private var random: SeededRandom

  init(session: CellSession, forest: Forest, name: String) throws {
    self.session = session
    self.forest = forest
    recorder = try session.makeRecorder()
    units = UnitRecorder(
      session, writer: try session.strategy.makeWriter(named: name), recorder: recorder, phase: Self.phase,
      isExpected: StormRefusal.isExpected)
    documents = session.settings[Keys.documentsPerFolder]
    random = SeededRandom(seed: session.seed).split(UInt64(recorder.history.process))
  }

  /// Does one operation, drawn by weight.
  func step() {
    let operation = Self.operations[Int(random.next() % UInt64(Self.operations.count))]
    let start = Int64(random.next() % UInt64(max(1, forest.highest(ForestModel.EntityNumber.folder)))) + 1
    switch operation {
    case .insertFolder:
      write(operation.rawValue) { context, changes in
        guard let parent = try self.forest.find("Folder", from: start, in: context) else { return }
        try self.forest.insertFolder(into: context, under: parent, documents: self.documents, &changes)
      }
    case .insertDocument:
      let tags = (0..<2).map { _ in Int64(random.next() % UInt64(forest.tagCount)) + 1 }
      write(operation.rawValue) { context, changes in
        guard let folder = try self.forest.find("Folder", from: start, in: context) else { return }
        let tags = try tags.compactMap { try self.forest.find("Tag", from: $0, in: context) }
        try self.forest.insertDocument(into: context, in: folder, tags: Set(tags), &changes)
      }
    case .deleteFolder: deleteFolder(from: start, "depth > 0")
    case .tag: tag(from: Int64(random.next() % UInt64(max(1, forest.highest(ForestModel.EntityNumber.document)))) + 1)
    }
  }

  /// Deletes the first folder from that number on for which a condition holds.
  ///
  /// Tried with its locks first, which the deny rule refuses when there are any; then they are deleted before it.
  func deleteFolder(from number: Int64, _ condition: String) {
    var unlocks = false
    write(Operation.deleteFolder.rawValue) { context, changes in
      guard let folder = try self.forest.find("Folder", from: number, condition, in: context) else { return }
      try self.forest.delete(folder, unlocks: unlocks, &changes)
    } refused: { code in
      if StormRefusal.isDenial(code) { unlocks = true }
    }
  }

  /// Gives a document another tag, and takes one away.
  private func tag(from number: Int64) {
    precondition(number > 0, "documents count from 1")
    let tag = Int64(random.next() % UInt64(forest.tagCount)) + 1
    write(Operation.tag.rawValue) { context, _ in
      guard let document = try self.forest.find("Document", from: number, in: context),
        let tag = try self.forest.find("Tag", from: tag, in: context)
      else { return }
      let tags = document.mutableSetValue(forKey: "tags")
      if let old = tags.anyObject() { tags.remove(old) }
      tags.add(tag)
    }
  }

  // MARK: How

  /// Does a unit of work until it is acknowledged, or was refused too often.
  func write(
    _ name: String, _ edit: (NSManagedObjectContext, inout ForestChanges) throws -> Void,
    refused: (Int) -> Void = { _ in }
  ) {
    let begin = OperationStart.now()
    for _ in 1...Self.attemptsMax {
      let end = units.write(name, since: begin) { context, unit in
        // The context's objects may be older than the store.
        context.refreshAllObjects()
        var changes = ForestChanges()
        try edit(context, &changes)
        unit.begin(changes)
      }
      guard case .failed(let error, _) = end else { return session.sampleLog() }
      refused((error as NSError).code)
    }
  }
}

/// The refusals of a save in a storm.
enum StormRefusal {
  /// Refused by a deny rule, alone or among others.
  static func isDenial(_ code: Int) -> Bool {
    code == NSValidationRelationshipDeniedDeleteError || code == NSValidationMultipleErrorsError
  }

  /// Whether another client was faster, or a rule forbids the save.
  static func isExpected(_ code: Int) -> Bool {
    isDenial(code) || code == NSManagedObjectMergeError || code == NSManagedObjectReferentialIntegrityError
      || code == NSManagedObjectValidationError || code == NSValidationMissingMandatoryPropertyError
  }
}
