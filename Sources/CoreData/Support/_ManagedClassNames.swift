/// Names under which models know classes that are called otherwise, as `@objc(Name)` says on Apple's systems.
///
/// For generated code: one subclass `_CoreDataClassNames` a module.
open class _ManagedClassNames {
  /// The module's renamed classes by those names.
  open class var classes: [String: NSManagedObject.Type] { [:] }
}
