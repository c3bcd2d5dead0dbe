import Boundary
import CoreData
import Scheduling

/// Makes the changes of a soak's operations in whatever context it is given; on the context's queue.
struct SoakEdits {
  /// Notes of one fetch.
  private static let pageSize = 8
  private static let wordsPerNote: Int64 = 3

  let supply: SoakSupply
  /// Number of the client, from 0.
  let client: Int
  /// How many clients there are.
  let clients: Int
  var random: SeededRandom

  init(session: CellSession, supply: SoakSupply, client: Int, of clients: Int, process: UInt32) {
    precondition(0..<clients ~= client, "a client is one of those that share the notes")
    self.supply = supply
    self.client = client
    self.clients = clients
    random = SeededRandom(seed: session.seed).split(UInt64(process))
  }

  func insert(into context: NSManagedObjectContext) -> SoakChanges {
    let number = supply.nextNote()
    let words = supply.nextWords(Self.wordsPerNote)
    let note = Note(context: context)
    let now = Date()
    note.fill(
      NoteRow(
        number: number, uuid: UUID(), title: "note \(number)", body: "body", language: "ko-en", createdAt: now,
        modifiedAt: now, isPinned: false))
    for number in words {
      let word = Word(context: context)
      word.fill(WordRow(number: number, term: "term \(number)", meaning: "meaning", level: 1))
      word.note = note
    }
    return SoakChanges(inserted: [(number, words)])
  }

  mutating func edit(in context: NSManagedObjectContext) throws -> SoakChanges {
    var changes = SoakChanges()
    for note in try somePage(in: context).prefix(2) where isThere(note) {
      note.revision += 1
      note.title = "revision \(note.revision)"
      changes.updated.append((note.number, note.revision))
    }
    return changes
  }

  /// Moves a word from one note to another.
  mutating func relate(in context: NSManagedObjectContext) throws -> SoakChanges {
    let notes = try somePage(in: context).filter { mayTake($0, in: context) }
    guard let from = notes.first, let to = notes.last, from !== to, isThere(from), isThere(to),
      let word = from.words.first as? Word, word.term != nil
    else { return SoakChanges() }
    word.note = to
    return SoakChanges(moved: [(word.number, to.number)])
  }

  mutating func delete(in context: NSManagedObjectContext) throws -> SoakChanges {
    // Realised, so that a row deleted in between is a conflict and not counted twice.
    let notes = try somePage(in: context).filter { mayTake($0, in: context) }
    guard let note = notes.randomElement(using: &random), isThere(note) else { return SoakChanges() }
    return delete(note, in: context)
  }

  /// Deletes a note that is there.
  func delete(_ note: Note, in context: NSManagedObjectContext) -> SoakChanges {
    // A word without a row has no number any more.
    let words = note.words.compactMap { $0 as? Word }.filter { $0.term != nil }
    let changes = SoakChanges(deleted: [(note.number, words.map(\.number))])
    context.delete(note)
    return changes
  }

  mutating func read(_ context: NSManagedObjectContext) throws {
    use(try somePage(in: context))
    _ = try context.count(for: Note.request())
  }

  /// Reads the notes and their words, as far as they are there.
  func use(_ notes: [Note]) {
    for note in notes where isThere(note) {
      for word in note.words { _ = (word as? Word)?.term?.isEmpty }
    }
  }

  mutating func refresh(_ context: NSManagedObjectContext) throws {
    for note in try somePage(in: context) {
      if note.hasChanges { continue }
      context.refresh(note, mergeChanges: Bool.random(using: &random))
    }
    if Int.random(in: 0..<8, using: &random) == 0 { context.reset() }
  }

  /// Some notes, from a random place on; the context's view of them, faults or realised.
  mutating func somePage(in context: NSManagedObjectContext) throws -> [Note] {
    let request = Note.request()
    let last = max(1, Int(supply.lastNote))
    let numbers = min(last, supply.starts.count)
    // As long as there are fewer numbers than the window has, each counts as several.
    let place = (supply.starts.draw(using: &random) - 1) * numbers / supply.starts.count
    precondition(0..<numbers ~= place, "a page begins at one of the window's numbers")
    request.predicate = NSPredicate(format: "number >= %ld", last - numbers + 1 + place)
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: Bool.random(using: &random))]
    request.fetchLimit = Self.pageSize
    return try context.fetch(request)
  }

  /// Whether this client may delete the note and move words into it.
  ///
  /// A parent takes all that its children push and refuses it in its own save, from then on for all of them: a word that
  /// one child moves to a note that another one deletes would end every saving. So each has notes of its own there.
  func mayTake(_ note: Note, in context: NSManagedObjectContext) -> Bool {
    isThere(note) && (context.parent == nil || Int(note.number) % clients == client)
  }

  /// Whether the row of the note was there when it was read, which this does.
  ///
  /// Its context may have been reset since it was fetched.
  func isThere(_ note: Note) -> Bool { note.managedObjectContext != nil && note.title != nil && !note.isDeleted }
}
