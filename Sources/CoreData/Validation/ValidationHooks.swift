/// The validation methods that a class overrides: what is not overridden need not be called for each object of a save.
struct ValidationHooks: OptionSet, Sendable {
  let rawValue: UInt8

  static let validateForInsert = ValidationHooks(rawValue: 1 << 0)
  static let validateForUpdate = ValidationHooks(rawValue: 1 << 1)
  static let validateForDelete = ValidationHooks(rawValue: 1 << 2)
  static let validateValue = ValidationHooks(rawValue: 1 << 3)
  static let all: ValidationHooks = [.validateForInsert, .validateForUpdate, .validateForDelete, .validateValue]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The methods that `type`, or a class between it and `NSManagedObject`, overrides; where they cannot be found, all.
  init(_ type: NSManagedObject.Type) {
    var hooks: ValidationHooks = type == NSManagedObject.self ? [] : .all
    for (hook, entry) in ValidationHooks.entries ?? []
    where MethodTable(type)[entry] == MethodTable(NSManagedObject.self)[entry] {
      hooks.remove(hook)
    }
    rawValue = hooks.rawValue
  }

  /// The positions of the methods in the table of a class; nil where they cannot be found.
  private static let entries: [(ValidationHooks, Int)]? = {
    let probes: [(ValidationHooks, NSManagedObject.Type)] = [
      (.validateForInsert, InsertProbe.self), (.validateForUpdate, UpdateProbe.self),
      (.validateForDelete, DeleteProbe.self), (.validateValue, ValueProbe.self),
    ]
    var entries: [(ValidationHooks, Int)] = []
    for (hook, probe) in probes {
      guard let entry = MethodTable.overriddenEntry(of: probe, comparedWith: PlainProbe.self) else { return nil }
      entries.append((hook, entry))
    }
    return Set(entries.map(\.1)).count == probes.count ? entries : nil
  }()
}

// Each overrides one method, so that its table differs in that method's entry.

private final class PlainProbe: NSManagedObject {}

private final class InsertProbe: NSManagedObject {
  override func validateForInsert() throws { throw CancellationError() }
}

private final class UpdateProbe: NSManagedObject {
  override func validateForUpdate() throws { throw CancellationError() }
}

private final class DeleteProbe: NSManagedObject {
  override func validateForDelete() throws { throw CancellationError() }
}

private final class ValueProbe: NSManagedObject {
  override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    throw CancellationError()
  }
}

/// The words of a class's metadata, its method table among them: a subclass has its superclass's entries at the same
/// places, each with its own implementation or the inherited one.
private struct MethodTable {
  private let words: UnsafePointer<UInt>

  init(_ type: NSManagedObject.Type) {
    words = UnsafePointer(unsafeBitCast(type, to: UnsafePointer<UInt>.self))
  }

  subscript(entry: Int) -> UInt { words[entry] }

  /// The one entry that `probe` overrides; nil when it is not exactly one.
  ///
  /// What differs in `plain` as well is no method of the probe's: names, initialisers.
  static func overriddenEntry(of probe: NSManagedObject.Type, comparedWith plain: NSManagedObject.Type) -> Int? {
    #if os(Linux)
      let (base, probe, plain) = (MethodTable(NSManagedObject.self), MethodTable(probe), MethodTable(plain))
      guard let count = base.count, probe.count == count, plain.count == count else { return nil }
      let entries = (headerWords..<count).filter { probe[$0] != base[$0] && plain[$0] == base[$0] }
      return entries.count == 1 ? entries[0] : nil
    #else
      return nil
    #endif
  }

  /// Kind, superclass, flags, instance size, class size, descriptor, destroyer of variables.
  private static let headerWords = 7
  private static let wordsMax = 4_096

  /// How many words there are from the address of the metadata on; nil where that makes no sense.
  ///
  /// Word 4 has the size of the metadata in bytes in its lower half, and how many of them are before its address in
  /// the upper one. (Swift ABI, "TypeMetadata", class metadata without Objective-C.)
  private var count: Int? {
    let size = Int(words[4] & 0xFFFF_FFFF)
    let before = Int(words[4] >> 32)
    let count = (size - before) / MemoryLayout<UInt>.size
    return count > MethodTable.headerWords && count <= MethodTable.wordsMax ? count : nil
  }
}
