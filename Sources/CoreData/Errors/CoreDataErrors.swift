import RowStore

// Codes of `NSCocoaErrorDomain` and keys of its user info, with Apple's names and values.

/// A property's value is not valid.
public let NSManagedObjectValidationError = 1550
/// Values that must be unique are not.
public let NSManagedObjectConstraintValidationError = 1551
/// Several validations failed; they are under ``NSDetailedErrorsKey``.
public let NSValidationMultipleErrorsError = 1560
/// A property that is not optional is nil.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has fewer objects than its `minCount`.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has more objects than its `maxCount`.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// An object cannot be deleted while a relationship with the deny rule has objects.
public let NSValidationRelationshipDeniedDeleteError = StoreErrorCode.deniedDelete
/// A number is above its maximum.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its minimum.
public let NSValidationNumberTooSmallError = 1620
/// A date is after the latest one allowed.
public let NSValidationDateTooLateError = 1630
/// A date is before the earliest one allowed.
public let NSValidationDateTooSoonError = 1640
/// A date does not match its pattern.
public let NSValidationInvalidDateError = 1650
/// A string has more characters than allowed.
public let NSValidationStringTooLongError = 1660
/// A string has fewer characters than required.
public let NSValidationStringTooShortError = 1670
/// A string does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// A URI cannot be written as a string.
public let NSValidationInvalidURIError = 1690
/// A context's lock could not be taken.
public let NSManagedObjectContextLockingError = 132000
/// `save()` was called inside a save of the same context; Apple gives this code no name.
let recursiveSaveError = StoreErrorCode.recursiveSave
/// A coordinator's lock could not be taken.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// A row that was to be read is not there.
public let NSManagedObjectReferentialIntegrityError = StoreErrorCode.referentialIntegrity
/// An object refers to an object of another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// Rows changed since they were read, and the merge policy does not resolve it.
public let NSManagedObjectMergeError = 133020
/// Values that must be unique are not, and the merge policy does not resolve it.
public let NSManagedObjectConstraintMergeError = StoreErrorCode.constraintMerge
/// The type of a store is not known.
public let NSPersistentStoreInvalidTypeError = StoreErrorCode.invalidType
/// A store is not of the type it was said to be.
public let NSPersistentStoreTypeMismatchError = 134010
/// The database refused a save, for lack of a table or a permission.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// The store could not be written.
public let NSPersistentStoreSaveError = StoreErrorCode.save
/// One of several stores failed in a save.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A save met conflicts that nothing resolved.
public let NSPersistentStoreSaveConflictsError = StoreErrorCode.saveConflicts
/// Something that has no code of its own.
public let NSCoreDataError = 134060
/// An operation of a store failed.
public let NSPersistentStoreOperationError = 134070
/// The store could not be opened.
public let NSPersistentStoreOpenError = StoreErrorCode.open
/// The store could not be reached in time.
public let NSPersistentStoreTimeoutError = 134090
/// A store was given a request that it does not know.
public let NSPersistentStoreUnsupportedRequestTypeError = StoreErrorCode.unsupportedRequest
/// The store's entities are not the model's.
public let NSPersistentStoreIncompatibleVersionHashError = StoreErrorCode.incompatibleVersionHash
/// A migration failed.
public let NSMigrationError = 134110
/// Values that must be unique are not after a migration.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// The model of the store to be migrated was not found.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping leads from the store's model to the new one.
public let NSMigrationMissingMappingModelError = 134140
/// The store to be migrated could not be read.
public let NSMigrationManagerSourceStoreError = 134150
/// The store to migrate to could not be written.
public let NSMigrationManagerDestinationStoreError = 134160
/// A step of an entity's migration failed.
public let NSEntityMigrationPolicyError = 134170
/// SQLite reported an error.
public let NSSQLiteError = 134180
/// No mapping between two models could be inferred.
public let NSInferredMappingModelError = 134190
/// Records from outside could not be imported.
public let NSExternalRecordImportError = 134200
/// The history before a token is gone.
public let NSPersistentHistoryTokenExpiredError = 134301

/// The errors beneath an error that combines several: `[NSError]`.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The object that failed validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The name of the property that failed validation.
public let NSValidationKeyErrorKey = StoreErrorKey.validationKey
/// The predicate that a value did not meet.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that failed validation; absent for nil.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The `NSMergeConflict`s, or `NSConstraintConflict`s, of a refused save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of errors that have SQLite's result codes.
public let NSSQLiteErrorDomain = StoreErrorKey.sqliteDomain
