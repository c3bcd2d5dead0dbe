import Boundary
import Scenarios
import Scheduling

/// The shared numbers of a process's clients of a soak: numbers unique over all processes, and the count of
/// notes.
struct SoakSupply: Sendable {
  private let notes = Locked<Int64>(0)
  private let words = Locked<Int64>(0)
  private let living = Locked<Int>(0)
  private let share: ProcessShare
  /// Words of other processes have other numbers from here on.
  private let firstWord: Int64
  /// Above so many notes, of each process its part, clients delete where they would insert, so that the store keeps its size.
  let livingMax: Int

  /// Draws where pages begin, among the numbers of the latest notes.
  let starts: KeySampler

  /// Older notes are gone for the most part: where pages begin, in multiples of `livingMax`.
  private static let window = 4
  /// A process has so many words at most, as a power of two.
  private static let wordBits: Int64 = 40

  init(_ settings: ScenarioSettings, _ share: ProcessShare) {
    self.share = share
    firstWord = Int64(share.index) << Self.wordBits
    livingMax = max(1, share.part(of: settings[Keys.notes]).count)
    starts = KeySampler(settings, count: Self.window * settings[Keys.notes])
  }

  /// The number of a new note.
  func nextNote() -> Int64 { number(Self.next(1, of: notes)) }

  /// The number of this process's n-th note, from 1: processes take turns.
  private func number(_ own: Int64) -> Int64 { Int64(share.number(Int(own) - 1)) + 1 }

  /// The numbers of new words.
  func nextWords(_ count: Int64) -> Range<Int64> {
    let first = firstWord + Self.next(count, of: words)
    precondition(first + count - firstWord < 1 << Self.wordBits, "a process has words of its own")
    return first..<first + count
  }

  /// The highest number of a note of this process so far; 0 before the first.
  var lastNote: Int64 {
    let own = notes.withLock { $0 }
    return own == 0 ? 0 : number(own)
  }

  /// Whether there are as many notes as there should be.
  var isFull: Bool { living.withLock { $0 } >= livingMax }

  /// Counts notes that were acknowledged as inserted and deleted.
  func count(inserted: Int, deleted: Int) { living.withLock { $0 += inserted - deleted } }

  private static func next(_ count: Int64, of numbers: Locked<Int64>) -> Int64 {
    precondition(count > 0, "who asks gets a number")
    return numbers.withLock { last in
      defer { last += count }
      return last + 1
    }
  }
}
