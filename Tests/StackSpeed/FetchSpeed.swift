import CoreData
import HarnessKit
import Measuring

/// 20,000 sorted rows read into objects with every attribute used, beside the same rows in C; and the first page of a
/// fetch in batches.
struct FetchSpeed {
  private static let notes = 1_000
  private static let wordsPerNote = 20
  private static let pageSize = 20

  let directory: URL

  func measure(rounds: Int) throws {
    let container = try NotebookStore.open(in: directory.path)
    let path = directory.appendingPathComponent(CellFiles.store).path
    let notebook = VocabularyNotebook(notes: Self.notes, wordsPerNote: Self.wordsPerNote, seed: 1)
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      notebook.insert(notes: 1..<Self.notes + 1, into: writer)
      try writer.save()
      writer.reset()
    }
    let rows = Self.notes * Self.wordsPerNote
    var floor = Series("floor, \(rows) sorted words", "ms")
    var stack = Series("stack, \(rows) sorted words, all attributes read", "ms")
    var ratio = Series("fetch, x the floor", "times")
    var limited = Series("\(Self.pageSize) of \(rows) sorted words", "ms")
    var ids = Series("IDs of \(rows) sorted words", "ms")
    var batched = Series("first page of \(rows) sorted words in batches of \(Self.pageSize)", "ms")
    var pageRatio = Series("first page, x the limited fetch and the IDs", "times")
    var bytes = (whole: Int64(0), ids: Int64(0), batched: Int64(0))
    for _ in 0...rounds {
      let reference = try FloorRunner.fetchWords(of: path)
      floor.add(reference.seconds * 1_000)
      stack.add(
        try time(container, held: &bytes.whole) { context in
          let words = try context.fetch(Self.request())
          precondition(Self.sum(words) == reference.sum, "floor and stack read the same rows")
          return words
        })
      ratio.add(stack.last / floor.last)
      limited.add(
        try time(container) { context in
          let request = Self.request()
          request.fetchLimit = Self.pageSize
          let words = try context.fetch(request)
          return (words, Self.sum(words))
        })
      ids.add(
        try time(container, held: &bytes.ids) { context in
          let request = NSFetchRequest<NSManagedObjectID>(entityName: "Word")
          request.sortDescriptors = Self.request().sortDescriptors
          request.resultType = .managedObjectIDResultType
          return try context.fetch(request)
        })
      batched.add(
        try time(container, held: &bytes.batched) { context in
          let request = Self.request()
          request.fetchBatchSize = Self.pageSize
          let words = try context.fetch(request)
          return (words, Self.sum(words.prefix(Self.pageSize)))
        })
      pageRatio.add(batched.last / (limited.last + ids.last))
    }
    for series in [floor, stack, ratio, limited, ids, batched, pageRatio] { series.report() }
    // After the first round, which makes the reader's connection and its statements.
    let perObject = [bytes.whole, bytes.ids, bytes.batched].map { "\($0 / Int64(rows))" }
    print(
      "bytes held for each word: \(perObject[0]) with its values, \(perObject[1]) as an ID, "
        + "\(perObject[2]) in a batch to come")
  }

  /// Milliseconds until `body` has its result, in a new context; releasing the objects is not part of it.
  private func time<Result>(
    _ container: NSPersistentContainer, held: UnsafeMutablePointer<Int64>? = nil,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Double {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let bytes = heldBytes()
      let start = MonotonicClock.now()
      let result = try body(context)
      let end = MonotonicClock.now()
      return withExtendedLifetime(result) {
        if let held, let bytes, let now = heldBytes() { held.pointee = now - bytes }
        return Double(end - start) / 1e6
      }
    }
  }

  private static func request() -> NSFetchRequest<Word> {
    let request = NSFetchRequest<Word>(entityName: "Word")
    request.sortDescriptors = [NSSortDescriptor(key: "term", ascending: true)]
    return request
  }

  /// Of every number and of the lengths of all texts, as the floor has it.
  private static func sum(_ words: some Sequence<Word>) -> Int64 {
    var sum: Int64 = 0
    for word in words {
      sum += word.number + Int64(word.level) + Int64(word.meaning?.utf8.count ?? 0) + Int64(word.term?.utf8.count ?? 0)
    }
    return sum
  }
}
