/// Finds out whether a class overrides `awakeFromFetch()`: the default does nothing, and is not called for each fault.
enum AwakeHook {
  /// Whether `type`, or a class between it and `NSManagedObject`, overrides the method; true where that cannot be found.
  static func isOverridden(by type: NSManagedObject.Type) -> Bool {
    guard type != NSManagedObject.self else { return false }
    guard let entry else { return true }
    return MethodTable(type)[entry] != MethodTable(NSManagedObject.self)[entry]
  }

  /// The position of the method in the table of a class; nil where it cannot be found.
  private static let entry = MethodTable.overriddenEntry(
    of: AwakeProbe.self, comparedWith: RestingProbe.self, base: NSManagedObject.self)
}

private final class RestingProbe: NSManagedObject {}

/// Overrides the method, so that its table differs in that entry.
private final class AwakeProbe: NSManagedObject {
  override func awakeFromFetch() { preconditionFailure("no object has this class") }
}
