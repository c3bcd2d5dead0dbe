import CoreData
import NotebookModel

/// The cost of a typed read through a generated accessor, beside the getter of a stored property.
///
/// Both are called without inlining, from another module, in turns of many short rounds; the median of the rounds counts.
enum Benchmark {
  private static let reads = 20_000
  private static let rounds = 201

  static func run(_ context: NSManagedObjectContext) throws {
    let stored = StoredNote()
    stored.createdAt = Date()
    let note = Note(context: context)
    note.number = stored.number
    note.rating = stored.rating
    note.body = stored.body
    try context.save()

    // The second row's stored property is one that the compiler was told not to guard against overlapping accesses.
    print("property    stored getter   generated getter   ratio")
    report("Int64", { StoredGetters.number(stored, $0) }, { ManagedGetters.number(note, $0) })
    report("Int64, bare", { StoredGetters.uncheckedNumber(stored, $0) }, { ManagedGetters.number(note, $0) })
    report("Double", { StoredGetters.rating(stored, $0) }, { ManagedGetters.rating(note, $0) })
    report("String?", { StoredGetters.body(stored, $0) }, { ManagedGetters.body(note, $0) })
    report("Date?", { StoredGetters.createdAt(stored, $0) }, { ManagedGetters.createdAt(note, $0) })
  }

  private static func report(_ name: String, _ plain: (Int) -> Int, _ generated: (Int) -> Int) {
    var plainTimes: [Double] = []
    var generatedTimes: [Double] = []
    for _ in 0..<rounds {
      plainTimes.append(time(plain))
      generatedTimes.append(time(generated))
    }
    let (left, right) = (median(plainTimes), median(generatedTimes))
    print(
      name.padding(toLength: 12, withPad: " ", startingAt: 0)
        + String(format: "%10.2f ns %15.2f ns %8.2f", left, right, right / left))
  }

  /// Nanoseconds for one read.
  private static func time(_ body: (Int) -> Int) -> Double {
    var sum = 0
    let duration = ContinuousClock().measure { sum = body(reads) }
    precondition(sum >= 0, "what was read is used")
    return Double(duration.components.attoseconds) / 1e9 / Double(reads)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Reads of one object's stored properties: the getter is called, as it stands in another module.
enum StoredGetters {
  @inline(never) static func number(_ object: StoredNote, _ count: Int) -> Int {
    var sum: Int64 = 0
    for _ in 0..<count { sum &+= object.number }
    return Int(sum)
  }

  @inline(never) static func uncheckedNumber(_ object: StoredNote, _ count: Int) -> Int {
    var sum: Int64 = 0
    for _ in 0..<count { sum &+= object.uncheckedNumber }
    return Int(sum)
  }

  @inline(never) static func rating(_ object: StoredNote, _ count: Int) -> Int {
    var sum = 0.0
    for _ in 0..<count { sum += object.rating }
    return Int(sum)
  }

  @inline(never) static func body(_ object: StoredNote, _ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count { if object.body != nil { sum &+= 1 } }
    return sum
  }

  @inline(never) static func createdAt(_ object: StoredNote, _ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count { if object.createdAt != nil { sum &+= 1 } }
    return sum
  }
}

/// The same of a managed object.
enum ManagedGetters {
  @inline(never) static func number(_ object: Note, _ count: Int) -> Int {
    var sum: Int64 = 0
    for _ in 0..<count { sum &+= object.number }
    return Int(sum)
  }

  @inline(never) static func rating(_ object: Note, _ count: Int) -> Int {
    var sum = 0.0
    for _ in 0..<count { sum += object.rating }
    return Int(sum)
  }

  @inline(never) static func body(_ object: Note, _ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count { if object.body != nil { sum &+= 1 } }
    return sum
  }

  @inline(never) static func createdAt(_ object: Note, _ count: Int) -> Int {
    var sum = 0
    for _ in 0..<count { if object.createdAt != nil { sum &+= 1 } }
    return sum
  }
}
