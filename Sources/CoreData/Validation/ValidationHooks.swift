import RowStore

/// The validation methods that a class overrides: others need not be called for each object of a save.
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

  /// The methods that count for objects of the entity and of that class: methods like `validateTitle(_:)` are called by
  /// `validateValue`.
  init(_ entity: EntityLayout, of type: NSManagedObject.Type) {
    let hooks = ValidationHooks(type)
    self = entity.objects.keyed.map { $0.validators.isEmpty } ?? true ? hooks : hooks.union(.validateValue)
  }

  /// The positions of the methods in the table of a class; nil where they cannot be found.
  private static let entries: [(ValidationHooks, Int)]? = {
    let probes: [(ValidationHooks, NSManagedObject.Type)] = [
      (.validateForInsert, InsertProbe.self), (.validateForUpdate, UpdateProbe.self),
      (.validateForDelete, DeleteProbe.self), (.validateValue, ValueProbe.self),
    ]
    var entries: [(ValidationHooks, Int)] = []
    for (hook, probe) in probes {
      guard
        let entry = MethodTable.overriddenEntry(of: probe, comparedWith: PlainProbe.self, base: NSManagedObject.self)
      else { return nil }
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
