// Codes of `NSCocoaErrorDomain` and keys of its user info, with Apple's names and values.

/// A property's value is not valid.
public let NSManagedObjectValidationError = 1550
/// Several validations failed; they stand under ``NSDetailedErrorsKey``.
public let NSValidationMultipleErrorsError = 1560
/// A property that is not optional is nil.
public let NSValidationMissingMandatoryPropertyError = 1570
/// An object cannot be deleted while a relationship with the deny rule has objects.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// `save()` was called inside a save of the same context; Apple gives this code no name.
let recursiveSaveError = 132001
/// A row that was to be read is not there.
public let NSManagedObjectReferentialIntegrityError = 133000
/// Rows changed since they were read, and the merge policy is the error policy.
public let NSManagedObjectMergeError = 133020
/// The type of a store is not known.
public let NSPersistentStoreInvalidTypeError = 134000
/// The store could not be written.
public let NSPersistentStoreSaveError = 134030
/// The store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// The store's entities are not the model's.
public let NSPersistentStoreIncompatibleVersionHashError = 134100

/// The errors beneath an error that stands for several.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The object that failed validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The name of the property that failed validation.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The value that failed validation.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The `NSMergeConflict`s of a refused save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

extension CocoaError.Code {
  /// 133020: rows changed since they were read.
  public static var managedObjectMerge: CocoaError.Code { .init(rawValue: NSManagedObjectMergeError) }
  /// 133000: a row that was to be read is not there.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .init(rawValue: NSManagedObjectReferentialIntegrityError)
  }
  /// 1560: several validations failed.
  public static var validationMultipleErrors: CocoaError.Code { .init(rawValue: NSValidationMultipleErrorsError) }
  /// 1570: a property that is not optional is nil.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .init(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// 1600: a deny rule stands in the way of a deletion.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// 134030: the store could not be written.
  public static var persistentStoreSave: CocoaError.Code { .init(rawValue: NSPersistentStoreSaveError) }
  /// 134080: the store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { .init(rawValue: NSPersistentStoreOpenError) }
  /// 134100: the store's entities are not the model's.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
}

extension NSError {
  /// An error of the Cocoa domain with a sentence, and what lies beneath.
  static func coreData(
    _ code: Int, _ description: String, underlying: (any Error)? = nil, userInfo: [String: Any] = [:]
  ) -> NSError {
    var info = userInfo
    info[NSLocalizedDescriptionKey] = description
    if let underlying { info[NSUnderlyingErrorKey] = underlying }
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}
