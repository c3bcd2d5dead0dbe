/// Whether classes have a `willSave()` or `didSave()` of their own.
enum SaveHooks {
  /// Whether `type`, or a class between it and `NSManagedObject`, overrides one; true where that cannot be found.
  static func areOverridden(by type: NSManagedObject.Type) -> Bool {
    guard type != NSManagedObject.self else { return false }
    return entries.contains { entry in
      entry.map { MethodTable(type)[$0] != MethodTable(NSManagedObject.self)[$0] } ?? true
    }
  }

  /// The positions of the methods in the table of a class; nil where one cannot be found.
  private static let entries: [Int?] = [WillSaveProbe.self, DidSaveProbe.self].map {
    MethodTable.overriddenEntry(of: $0, comparedWith: UnhookedProbe.self, base: NSManagedObject.self)
  }
}

private final class UnhookedProbe: NSManagedObject {}

// Each overrides one method, so that its table differs in that method's entry.

private final class WillSaveProbe: NSManagedObject {
  override func willSave() { preconditionFailure("no object has this class") }
}

private final class DidSaveProbe: NSManagedObject {
  override func didSave() { preconditionFailure("no object has this class") }
}
