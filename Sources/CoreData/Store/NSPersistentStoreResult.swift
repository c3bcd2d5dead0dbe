/// The result of a request; its subclasses say more.
///
/// - SeeAlso: Apple, "NSPersistentStoreResult".
open nonisolated class NSPersistentStoreResult: NSObject {
  /// Makes a result that says nothing.
  public override init() { super.init() }
}
