/// The property values of one row in one insert or update.
struct RecordedWrite {
  /// A value that the history does not say; it may be anything.
  static let unknown = Int64.max
  /// Not written.
  static let unchanged = RecordedValue.unchanged.code

  /// Step of its completion, or of its invocation where it has none.
  var step: Int
  /// Whether it made the row.
  var isInsert: Bool
  /// When it began.
  var start: UInt64
  /// When it was over; never, where that is not known.
  var end: UInt64
  /// Whether it was acknowledged, may have taken place, or did not.
  var type: OperationType
  /// The version that it made; 0 where the history does not say.
  var version: Int64
  /// By property: the layout's recorded columns, then the owner.
  var values: [Int64]

  /// Whether it may be in the file.
  var isPossible: Bool { type != .fail }

  /// Whether it certainly wrote the property.
  func isCertain(of property: Int) -> Bool {
    type == .ok && values[property] != Self.unknown && values[property] != Self.unchanged
  }

  /// Whether it may have written the property.
  func mayWrite(_ property: Int) -> Bool { isPossible && values[property] != Self.unchanged }
}

/// The writes of one row, as far as a history has their values.
struct WriteLog {
  private(set) var writes: [RecordedWrite] = []

  /// Whether every value that the property had since the row was made is one of these.
  func isComplete(for property: Int) -> Bool {
    writes.contains(where: \.isInsert)
      && !writes.contains { $0.isPossible && $0.values[property] == RecordedWrite.unknown }
  }

  mutating func append(_ write: RecordedWrite) {
    precondition(
      writes.last.map { $0.values.count == write.values.count } ?? true, "the writes of a row have the same properties")
    precondition(write.start <= write.end, "a write is over after it began")
    writes.append(write)
  }

  /// The possible values of a property for a reader: it has seen writes that ended by `known`, maybe those begun before `now`.
  ///
  /// A write is replaced by one that was acknowledged, and began after it was over or made a later version.
  ///
  /// - Returns: the writes of which each may be the latest; nil where a value may be there that the history does not say.
  func latest(of property: Int, known: UInt64 = .max, now: UInt64 = .max) -> [RecordedWrite]? {
    var start: UInt64 = 0
    var version: Int64 = 0
    var hasCertain = false
    for write in writes where write.isCertain(of: property) && write.end <= known {
      start = max(start, write.start)
      version = max(version, write.version)
      hasCertain = true
    }
    guard hasCertain else { return nil }
    let candidates = writes.filter {
      $0.mayWrite(property) && $0.start <= now && $0.end >= start && ($0.version == 0 || $0.version >= version)
    }
    return candidates.contains { $0.values[property] == RecordedWrite.unknown } ? nil : candidates
  }
}
