import CoreData
import NotebookModel

/// What a typed read through a generated accessor costs, beside the getter of a stored property.
///
/// Both are called without inlining, from another module, in turns of many short rounds; the median of the rounds counts.
enum Benchmark {
  private static let objectCount = 256
  private static let passes = 200
  private static let rounds = 101

  static func run(_ context: NSManagedObjectContext) throws {
    let stored = (0..<objectCount).map { _ in StoredNote() }
    let managed = (0..<objectCount).map { index in
      let note = Note(context: context)
      note.number = 42
      note.rating = 4.5
      note.body = "a text that does not fit into the string itself"
      return note
    }
    try context.save()
    for note in stored { note.createdAt = Date() }

    print("property   stored getter   generated getter   ratio")
    report("Int64", stored, managed, StoredGetters.number, ManagedGetters.number)
    report("Double", stored, managed, StoredGetters.rating, ManagedGetters.rating)
    report("String?", stored, managed, StoredGetters.body, ManagedGetters.body)
    report("Date?", stored, managed, StoredGetters.createdAt, ManagedGetters.createdAt)
  }

  private static func report(
    _ name: String, _ stored: [StoredNote], _ managed: [Note], _ plain: ([StoredNote]) -> Int, _ ours: ([Note]) -> Int
  ) {
    var plainTimes: [Double] = []
    var ourTimes: [Double] = []
    for _ in 0..<rounds {
      plainTimes.append(time { plain(stored) })
      ourTimes.append(time { ours(managed) })
    }
    let (left, right) = (median(plainTimes), median(ourTimes))
    print(
      name.padding(toLength: 11, withPad: " ", startingAt: 0)
        + String(format: "%10.2f ns %15.2f ns %8.2f", left, right, right / left))
  }

  /// Nanoseconds for one read.
  private static func time(_ body: () -> Int) -> Double {
    let clock = ContinuousClock()
    var sum = 0
    let duration = clock.measure { for _ in 0..<passes { sum &+= body() } }
    precondition(sum != 1)
    return Double(duration.components.attoseconds) / 1e9 / Double(passes * objectCount)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// One pass over objects with stored properties: the getter is called, as it stands in another module.
enum StoredGetters {
  @inline(never) static func number(_ objects: [StoredNote]) -> Int {
    var sum: Int64 = 0
    for object in objects { sum &+= object.number }
    return Int(sum)
  }

  @inline(never) static func rating(_ objects: [StoredNote]) -> Int {
    var sum = 0.0
    for object in objects { sum += object.rating }
    return Int(sum)
  }

  @inline(never) static func body(_ objects: [StoredNote]) -> Int {
    var sum = 0
    for object in objects where object.body != nil { sum &+= 1 }
    return sum
  }

  @inline(never) static func createdAt(_ objects: [StoredNote]) -> Int {
    var sum = 0
    for object in objects where object.createdAt != nil { sum &+= 1 }
    return sum
  }
}

/// The same over managed objects.
enum ManagedGetters {
  @inline(never) static func number(_ objects: [Note]) -> Int {
    var sum: Int64 = 0
    for object in objects { sum &+= object.number }
    return Int(sum)
  }

  @inline(never) static func rating(_ objects: [Note]) -> Int {
    var sum = 0.0
    for object in objects { sum += object.rating }
    return Int(sum)
  }

  @inline(never) static func body(_ objects: [Note]) -> Int {
    var sum = 0
    for object in objects where object.body != nil { sum &+= 1 }
    return sum
  }

  @inline(never) static func createdAt(_ objects: [Note]) -> Int {
    var sum = 0
    for object in objects where object.createdAt != nil { sum &+= 1 }
    return sum
  }
}
