import CoreData
import HarnessKit

/// One client: makes books and renames them through its writer, and records what became of each.
final class RenameClient: @unchecked Sendable {
  // Sendable: used by one job at a time.
  private let units: UnitRecorder
  private let book: UInt16

  init(_ session: CellSession, name: String, book: UInt16) throws {
    self.book = book
    units = UnitRecorder(
      session, writer: try session.strategy.makeWriter(named: name), recorder: try session.makeRecorder(),
      phase: "rename")
  }

  /// Makes the books with these numbers, in one save.
  func make(_ numbers: ClosedRange<Int64>) {
    let change = Change(
      function: .insert, book: book, number: numbers.lowerBound, count: Int64(numbers.count), revision: 1)
    units.write("write") { context, unit in
      unit.begin(change)
      for number in numbers {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(number, forKey: "number")
        book.setValue("book \(number)", forKey: "title")
        book.setValue(Int64(1), forKey: "revision")
      }
    }
  }

  /// Renames the book and raises its revision.
  func rename(_ number: Int64, _ id: NSManagedObjectID) {
    units.write("write") { context, unit in
      unit.begin(Change(function: .update, book: book, number: number))
      let book = try context.existingObject(with: context.localID(of: id))
      let revision = (book.value(forKey: "revision") as? Int64 ?? 0) + 1
      let title = "book \(number), revision \(revision)"
      book.setValue(title, forKey: "title")
      book.setValue(revision, forKey: "revision")
      unit.changes?.revision = revision
      unit.changes?.title = title
    }
  }

  /// The changes of one save to books, as histories record them.
  private struct Change: UnitChanges {
    let function: OperationFunction
    let book: UInt16
    let number: Int64
    var count: Int64 = 1
    /// The revision that it leads to, once that is known.
    var revision: Int64 = 0
    var title: String?

    var objectCount: Int { Int(count) }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {
      guard let title, type != .invoke else {
        recorder.record(
          type, function, entity: book, key: number, count: count, value: type == .ok ? revision : 0)
        return
      }
      recorder.record(
        type, function, of: nil, entity: book, key: number, value: type == .ok ? revision : 0,
        values: [RecordedValue(title)])
    }
  }
}
