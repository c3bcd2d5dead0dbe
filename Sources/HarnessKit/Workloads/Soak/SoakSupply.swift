import Scheduling

/// What the clients of a soak share: numbers that nobody else gets, and how many notes there are.
struct SoakSupply: Sendable {
  private let notes = Locked<Int64>(0)
  private let words = Locked<Int64>(0)
  private let living = Locked<Int>(0)
  /// Above so many notes, clients delete where they would insert, so that the store keeps its size.
  let livingMax: Int

  /// Draws where pages begin, among the numbers of the latest notes.
  let starts: KeySampler

  /// Older notes are gone for the most part: where pages begin, in multiples of `livingMax`.
  private static let window = 4

  init(_ settings: ScenarioSettings) {
    livingMax = settings.integer("notes")
    starts = KeySampler(settings, count: Self.window * livingMax)
  }

  /// The number of a new note.
  func nextNote() -> Int64 { Self.next(1, of: notes) }

  /// The numbers of new words.
  func nextWords(_ count: Int64) -> Range<Int64> {
    let first = Self.next(count, of: words)
    return first..<first + count
  }

  /// The highest number of a note so far; 0 before the first.
  var lastNote: Int64 { notes.withLock { $0 } }

  /// Whether there are as many notes as there should be.
  var isFull: Bool { living.withLock { $0 } >= livingMax }

  /// Counts notes that were acknowledged as inserted and deleted.
  func count(inserted: Int, deleted: Int) { living.withLock { $0 += inserted - deleted } }

  private static func next(_ count: Int64, of numbers: Locked<Int64>) -> Int64 {
    numbers.withLock { last in
      defer { last += count }
      return last + 1
    }
  }
}
