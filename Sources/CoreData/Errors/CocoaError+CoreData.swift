extension CocoaError.Code {
  /// 1550: a property's value is not valid.
  public static var managedObjectValidation: CocoaError.Code { .init(rawValue: NSManagedObjectValidationError) }
  /// 1560: several validations failed; they are under ``NSDetailedErrorsKey``.
  public static var validationMultipleErrors: CocoaError.Code { .init(rawValue: NSValidationMultipleErrorsError) }
  /// 1570: a property that is not optional is nil.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .init(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// 1580: a to-many relationship has fewer objects than its `minCount`.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }
  /// 1590: a to-many relationship has more objects than its `maxCount`.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }
  /// 1600: an object cannot be deleted while a relationship with the deny rule has objects.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .init(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// 1610: a number is above its maximum.
  public static var validationNumberTooLarge: CocoaError.Code { .init(rawValue: NSValidationNumberTooLargeError) }
  /// 1620: a number is below its minimum.
  public static var validationNumberTooSmall: CocoaError.Code { .init(rawValue: NSValidationNumberTooSmallError) }
  /// 1630: a date is after the latest one allowed.
  public static var validationDateTooLate: CocoaError.Code { .init(rawValue: NSValidationDateTooLateError) }
  /// 1640: a date is before the earliest one allowed.
  public static var validationDateTooSoon: CocoaError.Code { .init(rawValue: NSValidationDateTooSoonError) }
  /// 1650: a date does not match its pattern.
  public static var validationInvalidDate: CocoaError.Code { .init(rawValue: NSValidationInvalidDateError) }
  /// 1660: a string has more characters than allowed.
  public static var validationStringTooLong: CocoaError.Code { .init(rawValue: NSValidationStringTooLongError) }
  /// 1670: a string has fewer characters than required.
  public static var validationStringTooShort: CocoaError.Code { .init(rawValue: NSValidationStringTooShortError) }
  /// 1680: a string does not match its pattern.
  public static var validationStringPatternMatching: CocoaError.Code {
    .init(rawValue: NSValidationStringPatternMatchingError)
  }
  /// 132000: a context's lock could not be taken.
  public static var managedObjectContextLocking: CocoaError.Code { .init(rawValue: NSManagedObjectContextLockingError) }
  /// 132010: a coordinator's lock could not be taken.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .init(rawValue: NSPersistentStoreCoordinatorLockingError)
  }
  /// 133000: a row that was to be read is not there.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .init(rawValue: NSManagedObjectReferentialIntegrityError)
  }
  /// 133010: an object refers to an object of another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .init(rawValue: NSManagedObjectExternalRelationshipError)
  }
  /// 133020: rows changed since they were read, and the merge policy does not resolve it.
  public static var managedObjectMerge: CocoaError.Code { .init(rawValue: NSManagedObjectMergeError) }
  /// 133021: values that must be unique are not, and the merge policy does not resolve it.
  public static var managedObjectConstraintMerge: CocoaError.Code {
    .init(rawValue: NSManagedObjectConstraintMergeError)
  }
  /// 134000: the type of a store is not known.
  public static var persistentStoreInvalidType: CocoaError.Code { .init(rawValue: NSPersistentStoreInvalidTypeError) }
  /// 134010: a store is not of the type it was said to be.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .init(rawValue: NSPersistentStoreTypeMismatchError) }
  /// 134020: the database refused a save, for lack of a table or a permission.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompatibleSchemaError)
  }
  /// 134030: the store could not be written.
  public static var persistentStoreSave: CocoaError.Code { .init(rawValue: NSPersistentStoreSaveError) }
  /// 134040: one of several stores failed in a save.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompleteSaveError)
  }
  /// 134050: a save met conflicts that nothing resolved.
  public static var persistentStoreSaveConflicts: CocoaError.Code {
    .init(rawValue: NSPersistentStoreSaveConflictsError)
  }
  /// 134060: something that has no code of its own.
  public static var coreData: CocoaError.Code { .init(rawValue: NSCoreDataError) }
  /// 134070: an operation of a store failed.
  public static var persistentStoreOperation: CocoaError.Code { .init(rawValue: NSPersistentStoreOperationError) }
  /// 134080: the store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { .init(rawValue: NSPersistentStoreOpenError) }
  /// 134090: the store could not be reached in time.
  public static var persistentStoreTimeout: CocoaError.Code { .init(rawValue: NSPersistentStoreTimeoutError) }
  /// 134091: a store was given a request that it does not know.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .init(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  }
  /// 134100: the store's entities are not the model's.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .init(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
  /// 134110: a migration failed.
  public static var migration: CocoaError.Code { .init(rawValue: NSMigrationError) }
  /// 134120: a migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { .init(rawValue: NSMigrationCancelledError) }
  /// 134130: the model of the store to be migrated was not found.
  public static var migrationMissingSourceModel: CocoaError.Code { .init(rawValue: NSMigrationMissingSourceModelError) }
  /// 134140: no mapping leads from the store's model to the new one.
  public static var migrationMissingMappingModel: CocoaError.Code {
    .init(rawValue: NSMigrationMissingMappingModelError)
  }
  /// 134150: the store to be migrated could not be read.
  public static var migrationManagerSourceStore: CocoaError.Code { .init(rawValue: NSMigrationManagerSourceStoreError) }
  /// 134160: the store to migrate to could not be written.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .init(rawValue: NSMigrationManagerDestinationStoreError)
  }
  /// 134170: a step of an entity's migration failed.
  public static var entityMigrationPolicy: CocoaError.Code { .init(rawValue: NSEntityMigrationPolicyError) }
  /// 134180: SQLite reported an error.
  public static var sqlite: CocoaError.Code { .init(rawValue: NSSQLiteError) }
  /// 134190: no mapping between two models could be inferred.
  public static var inferredMappingModel: CocoaError.Code { .init(rawValue: NSInferredMappingModelError) }
  /// 134200: records from outside could not be imported.
  public static var externalRecordImport: CocoaError.Code { .init(rawValue: NSExternalRecordImportError) }
}

// `catch CocoaError.managedObjectMerge` and the like.
extension CocoaError {
  /// See ``CocoaError/Code/managedObjectValidation``.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// See ``CocoaError/Code/validationMultipleErrors``.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// See ``CocoaError/Code/validationMissingMandatoryProperty``.
  public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
  /// See ``CocoaError/Code/validationRelationshipLacksMinimumCount``.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// See ``CocoaError/Code/validationRelationshipExceedsMaximumCount``.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// See ``CocoaError/Code/validationRelationshipDeniedDelete``.
  public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
  /// See ``CocoaError/Code/validationNumberTooLarge``.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// See ``CocoaError/Code/validationNumberTooSmall``.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// See ``CocoaError/Code/validationDateTooLate``.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// See ``CocoaError/Code/validationDateTooSoon``.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// See ``CocoaError/Code/validationInvalidDate``.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// See ``CocoaError/Code/validationStringTooLong``.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// See ``CocoaError/Code/validationStringTooShort``.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// See ``CocoaError/Code/validationStringPatternMatching``.
  public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
  /// See ``CocoaError/Code/managedObjectContextLocking``.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// See ``CocoaError/Code/persistentStoreCoordinatorLocking``.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// See ``CocoaError/Code/managedObjectReferentialIntegrity``.
  public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// See ``CocoaError/Code/managedObjectExternalRelationship``.
  public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
  /// See ``CocoaError/Code/managedObjectMerge``.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// See ``CocoaError/Code/managedObjectConstraintMerge``.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// See ``CocoaError/Code/persistentStoreInvalidType``.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// See ``CocoaError/Code/persistentStoreTypeMismatch``.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// See ``CocoaError/Code/persistentStoreIncompatibleSchema``.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// See ``CocoaError/Code/persistentStoreSave``.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// See ``CocoaError/Code/persistentStoreIncompleteSave``.
  public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
  /// See ``CocoaError/Code/persistentStoreSaveConflicts``.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// See ``CocoaError/Code/coreData``.
  public static var coreData: CocoaError.Code { .coreData }
  /// See ``CocoaError/Code/persistentStoreOperation``.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// See ``CocoaError/Code/persistentStoreOpen``.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// See ``CocoaError/Code/persistentStoreTimeout``.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// See ``CocoaError/Code/persistentStoreUnsupportedRequestType``.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
  /// See ``CocoaError/Code/persistentStoreIncompatibleVersionHash``.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { .persistentStoreIncompatibleVersionHash }
  /// See ``CocoaError/Code/migration``.
  public static var migration: CocoaError.Code { .migration }
  /// See ``CocoaError/Code/migrationCancelled``.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// See ``CocoaError/Code/migrationMissingSourceModel``.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// See ``CocoaError/Code/migrationMissingMappingModel``.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// See ``CocoaError/Code/migrationManagerSourceStore``.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// See ``CocoaError/Code/migrationManagerDestinationStore``.
  public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
  /// See ``CocoaError/Code/entityMigrationPolicy``.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// See ``CocoaError/Code/sqlite``.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// See ``CocoaError/Code/inferredMappingModel``.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// See ``CocoaError/Code/externalRecordImport``.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
