import CoreData

extension Hazard {
  /// The lists of a round, with one value each, appended by the participant that comes first.
  private static func lists(_ stage: HazardStage, by actor: KeyedParticipant) throws -> (Int64, Int64) {
    let first = Int64(2 * stage.round + 1)
    try actor.insert(first..<first + 2)
    try actor.appendNow(1, 1, to: [first, first + 1])
    return (first, first + 1)
  }

  /// A transaction reads one list in one fetch and another in the next, and a save comes between the two.
  static let readSkew = Hazard(
    "read-skew", "Two fetches of one unit of work, with another's save between them.", schema: KeyedSchema.list,
    careless: { stage in
      let (reader, writer) = (
        try KeyedParticipant("reader", "List", stage), try KeyedParticipant("writer", "List", stage)
      )
      let (x, y) = try lists(stage, by: writer)
      try reader.transact(2) {
        try reader.context.performAndWait { reader.see(try reader.freshRow(x)) }
        try writer.appendNow(2, 2, to: [x, y])
        try reader.context.performAndWait { reader.see(try reader.freshRow(y)) }
        return .ok
      }
    },
    careful: { stage in
      let (reader, writer) = (
        try KeyedParticipant("reader", "List", stage), try KeyedParticipant("writer", "List", stage)
      )
      let (x, y) = try lists(stage, by: writer)
      try reader.readNow(2, [x, y])
      try writer.appendNow(2, 2, to: [x, y])
      try reader.readNow(3, [x, y])
    })

  /// Two transactions read both lists, and each appends to another one: no row is changed by both.
  static let writeSkew = Hazard(
    "write-skew", "Two units of work each change a row by what they read in another, which the other changes.",
    schema: KeyedSchema.list,
    careless: { try skew($0, detectsConflicts: false) },
    careful: { try skew($0, detectsConflicts: true) })

  private static func skew(_ stage: HazardStage, detectsConflicts: Bool) throws {
    let (first, second) = (try KeyedParticipant("first", "List", stage), try KeyedParticipant("second", "List", stage))
    let (x, y) = try lists(stage, by: first)
    /// Reads both lists and appends to one of them; the save comes later.
    func edit(_ actor: KeyedParticipant, _ value: Int64, _ key: Int64) throws {
      try actor.context.performAndWait {
        for row in try actor.freshRows([x, y]) {
          actor.see(row)
          // The save is to look at the row that is only read, too.
          if detectsConflicts { actor.context.detectConflicts(for: row) }
          if row.number == key { actor.append(value, to: row) }
        }
      }
    }
    var isRefused = false
    try second.transact(2) {
      try edit(second, 3, y)
      try first.transact(2) {
        try edit(first, 2, x)
        return try first.context.performAndWait { try first.save() } == nil ? .ok : .fail
      }
      isRefused = try second.context.performAndWait { try second.save() } != nil
      return isRefused ? .fail : .ok
    }
    guard isRefused else { return }
    // Once more, from the current value.
    try second.transact(3) {
      try edit(second, 4, y)
      return try second.context.performAndWait { try second.save() } == nil ? .ok : .fail
    }
  }

  /// Two readers each hold one list from before two independent saves, and read the other one after them.
  static let longFork = Hazard(
    "long-fork", "Two contexts each hold another object from before, so that they see two saves in opposite orders.",
    schema: KeyedSchema.list,
    careless: { stage in
      let (writer, other) = (
        try KeyedParticipant("writer", "List", stage), try KeyedParticipant("other writer", "List", stage)
      )
      let (left, right) = (try KeyedParticipant("left", "List", stage), try KeyedParticipant("right", "List", stage))
      let (x, y) = try lists(stage, by: writer)
      try left.transact(2) {
        try left.context.performAndWait { left.see(try left.heldRow(x)) }
        try right.transact(2) {
          try right.context.performAndWait { right.see(try right.heldRow(y)) }
          try writer.appendNow(2, 2, to: [x])
          try other.appendNow(2, 3, to: [y])
          try right.context.performAndWait { right.see(try right.heldRow(x)) }
          return .ok
        }
        try left.context.performAndWait { left.see(try left.heldRow(y)) }
        return .ok
      }
    },
    careful: { stage in
      let (writer, other) = (
        try KeyedParticipant("writer", "List", stage), try KeyedParticipant("other writer", "List", stage)
      )
      let (left, right) = (try KeyedParticipant("left", "List", stage), try KeyedParticipant("right", "List", stage))
      let (x, y) = try lists(stage, by: writer)
      try left.readNow(2, [x, y])
      try writer.appendNow(2, 2, to: [x])
      try right.readNow(2, [x, y])
      try other.appendNow(2, 3, to: [y])
      try left.readNow(3, [x, y])
      try right.readNow(3, [x, y])
    })

  /// Two transactions append to one list from the same state, and a reader sees first one's and then the other's.
  static let incompatibleOrder = Hazard(
    "incompatible-order", "Two contexts append to one list, and the policy is overwrite: a reader sees either order.",
    schema: KeyedSchema.list,
    careless: { try appendTwice($0, policy: .overwrite) },
    careful: { try appendTwice($0, policy: .error) })

  private static func appendTwice(_ stage: HazardStage, policy: NSMergePolicy) throws {
    let (first, second) = (try KeyedParticipant("first", "List", stage), try KeyedParticipant("second", "List", stage))
    let reader = try KeyedParticipant("reader", "List", stage)
    for actor in [first, second] { actor.context.performAndWait { actor.context.mergePolicy = policy } }
    let (x, _) = try lists(stage, by: first)
    var isRefused = false
    try second.transact(2) {
      try second.context.performAndWait {
        let row = try second.freshRow(x)
        second.see(row)
        second.append(3, to: row)
        stage.keep(row)
      }
      try first.appendNow(2, 2, to: [x])
      try reader.readNow(2, [x])
      isRefused = try second.context.performAndWait { try second.save() } != nil
      return isRefused ? .fail : .ok
    }
    if isRefused { try second.appendNow(3, 4, to: [x]) }
    try reader.readNow(3, [x])
  }
}
