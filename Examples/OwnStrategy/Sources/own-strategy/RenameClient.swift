import CoreData
import HarnessKit

/// One client: makes books and renames them through its writer, and records what became of each.
final class RenameClient: @unchecked Sendable {
  // Sendable: used by one job at a time.
  private let session: CellSession
  private let writer: any StrategyWriter
  private let recorder: WorkerRecorder
  private let book: UInt16

  init(_ session: CellSession, name: String, book: UInt16) throws {
    self.session = session
    self.book = book
    writer = try session.strategy.makeWriter(named: name)
    recorder = try session.makeRecorder()
  }

  /// Makes the books with these numbers, in one save.
  func make(_ numbers: ClosedRange<Int64>) {
    write(.insert, numbers.lowerBound, count: Int64(numbers.count)) { context in
      for number in numbers {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(number, forKey: "number")
        book.setValue("book \(number)", forKey: "title")
        book.setValue(Int64(1), forKey: "revision")
      }
      return 1
    }
  }

  /// Renames the book and raises its revision.
  func rename(_ number: Int64, _ id: NSManagedObjectID) {
    write(.update, number) { context in
      let book = try context.existingObject(with: context.localID(of: id))
      let revision = (book.value(forKey: "revision") as? Int64 ?? 0) + 1
      book.setValue("book \(number), revision \(revision)", forKey: "title")
      book.setValue(revision, forKey: "revision")
      return revision
    }
  }

  /// Records the operation around its save; `edit` says the revision it leads to.
  private func write(
    _ function: OperationFunction, _ key: Int64, count: Int64 = 1, _ edit: (NSManagedObjectContext) throws -> Int64
  ) {
    var begin = OperationStart.now()
    var revision: Int64 = 0
    do {
      try writer.write { context in
        begin = OperationStart(at: recorder.record(.invoke, function, entity: book, key: key, count: count))
        revision = try edit(context)
      } reached: { stage in
        guard case .durable = stage else { return }
        let end = recorder.record(.ok, function, entity: book, key: key, count: count, value: revision)
        recorder.record("write", in: "rename", since: begin, until: OperationStart(at: end))
        session.countAcknowledged(Int(count))
      }
    } catch {
      recorder.recordFailure(of: "write", in: "rename")
      recorder.record(.fail, .save, value: Int64((error as NSError).code))
      recorder.record(.fail, function, entity: book, key: key, count: count)
    }
  }
}
