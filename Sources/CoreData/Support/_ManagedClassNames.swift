/// A module's classes by name, as Objective-C knows them: their own names, their properties and validating methods.
///
/// For generated code: one subclass `_CoreDataClassNames` a module.
open nonisolated class _ManagedClassNames {
  /// Classes by the names that `@objc(Name)` gives them, where they are called otherwise.
  open class var classes: [String: AnyClass] { [:] }

  /// Properties that are declared `@objc`, and overrides of properties of the model.
  open class var properties: [_KeyedProperty] { [] }

  /// The names of properties of the model, by the key paths that lead to them.
  open class var keyPaths: [AnyKeyPath: String] { [:] }

  /// Methods like `validateTitle(_:)`.
  open class var validators: [_KeyedValidator] { [] }
}
