/// Why an object's values were replaced by a snapshot; raw values are Apple's.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// One bit a reason.
  public let rawValue: UInt

  /// Makes a set of the reasons with these bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
  /// A change was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
  /// The object was refreshed, or another context's save was merged.
  public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
  /// A merge policy gave the object values of the store as it was saved, or took its deletion back.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
