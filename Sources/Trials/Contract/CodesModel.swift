import Cells
import CoreData

/// Objects with a rule of each kind.
enum CodesModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  static func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 86_400) }

  private static func make() -> NSManagedObjectModel {
    let (ruled, part) = (ModelParts.entity("Ruled"), ModelParts.entity("Part"))
    func add(_ name: String, _ type: NSAttributeType, _ rules: [NSPredicate]) {
      let attribute = ModelParts.attribute(name, type, isOptional: true)
      attribute.setValidationPredicates(rules, withValidationWarnings: nil)
      ruled.properties.append(attribute)
    }
    add("count", .integer32AttributeType, [NSPredicate(format: "SELF >= 2"), NSPredicate(format: "SELF <= 9")])
    add("text", .stringAttributeType, [NSPredicate(format: "length >= 2"), NSPredicate(format: "length <= 6")])
    add("word", .stringAttributeType, [NSPredicate(format: "SELF MATCHES '[a-z]+'")])
    add(
      "day", .dateAttributeType,
      [
        NSPredicate(format: "SELF >= %@", argumentArray: [day(0)]),
        NSPredicate(format: "SELF <= %@", argumentArray: [day(10)]),
      ])
    add("odd", .integer16AttributeType, [NSPredicate(format: "SELF == 1 OR SELF == 3")])
    ruled.properties.append(ModelParts.attribute("needed", .stringAttributeType, isOptional: false))
    ruled.uniquenessConstraints = [["number"]]
    let parts = ModelParts.many("parts", part, .denyDeleteRule)
    (parts.minCount, parts.maxCount) = (2, 4)
    ModelParts.connect(parts, of: ruled, ModelParts.one("whole", ruled), of: part)
    let model = NSManagedObjectModel()
    model.entities = [ruled, part]
    return model
  }
}

/// A code of an error under each of its names.
struct CodeNames {
  let number: Int
  let constant: Int
  let code: CocoaError.Code
  let short: CocoaError.Code

  private init(_ number: Int, _ constant: Int, _ code: CocoaError.Code, _ short: CocoaError.Code) {
    precondition(number > 1_000, "Core Data's codes have four digits or more")
    (self.number, self.constant, self.code, self.short) = (number, constant, code, short)
  }

  /// With the numbers of Apple's headers.
  static let all: [CodeNames] = validation + saves + stores

  private static let validation: [CodeNames] = [
    CodeNames(1_550, NSManagedObjectValidationError, .managedObjectValidation, CocoaError.managedObjectValidation),
    CodeNames(1_560, NSValidationMultipleErrorsError, .validationMultipleErrors, CocoaError.validationMultipleErrors),
    CodeNames(
      1_570, NSValidationMissingMandatoryPropertyError, .validationMissingMandatoryProperty,
      CocoaError.validationMissingMandatoryProperty),
    CodeNames(
      1_580, NSValidationRelationshipLacksMinimumCountError, .validationRelationshipLacksMinimumCount,
      CocoaError.validationRelationshipLacksMinimumCount),
    CodeNames(
      1_590, NSValidationRelationshipExceedsMaximumCountError, .validationRelationshipExceedsMaximumCount,
      CocoaError.validationRelationshipExceedsMaximumCount),
    CodeNames(
      1_600, NSValidationRelationshipDeniedDeleteError, .validationRelationshipDeniedDelete,
      CocoaError.validationRelationshipDeniedDelete),
    CodeNames(1_610, NSValidationNumberTooLargeError, .validationNumberTooLarge, CocoaError.validationNumberTooLarge),
    CodeNames(1_620, NSValidationNumberTooSmallError, .validationNumberTooSmall, CocoaError.validationNumberTooSmall),
    CodeNames(1_630, NSValidationDateTooLateError, .validationDateTooLate, CocoaError.validationDateTooLate),
    CodeNames(1_640, NSValidationDateTooSoonError, .validationDateTooSoon, CocoaError.validationDateTooSoon),
    CodeNames(1_650, NSValidationInvalidDateError, .validationInvalidDate, CocoaError.validationInvalidDate),
    CodeNames(1_660, NSValidationStringTooLongError, .validationStringTooLong, CocoaError.validationStringTooLong),
    CodeNames(1_670, NSValidationStringTooShortError, .validationStringTooShort, CocoaError.validationStringTooShort),
    CodeNames(
      1_680, NSValidationStringPatternMatchingError, .validationStringPatternMatching,
      CocoaError.validationStringPatternMatching),
  ]

  private static let saves: [CodeNames] = [
    CodeNames(
      132_000, NSManagedObjectContextLockingError, .managedObjectContextLocking, CocoaError.managedObjectContextLocking),
    CodeNames(
      132_010, NSPersistentStoreCoordinatorLockingError, .persistentStoreCoordinatorLocking,
      CocoaError.persistentStoreCoordinatorLocking),
    CodeNames(
      133_000, NSManagedObjectReferentialIntegrityError, .managedObjectReferentialIntegrity,
      CocoaError.managedObjectReferentialIntegrity),
    CodeNames(
      133_010, NSManagedObjectExternalRelationshipError, .managedObjectExternalRelationship,
      CocoaError.managedObjectExternalRelationship),
    CodeNames(133_020, NSManagedObjectMergeError, .managedObjectMerge, CocoaError.managedObjectMerge),
    CodeNames(
      133_021, NSManagedObjectConstraintMergeError, .managedObjectConstraintMerge,
      CocoaError.managedObjectConstraintMerge),
    CodeNames(134_030, NSPersistentStoreSaveError, .persistentStoreSave, CocoaError.persistentStoreSave),
    CodeNames(
      134_040, NSPersistentStoreIncompleteSaveError, .persistentStoreIncompleteSave,
      CocoaError.persistentStoreIncompleteSave),
    CodeNames(
      134_050, NSPersistentStoreSaveConflictsError, .persistentStoreSaveConflicts,
      CocoaError.persistentStoreSaveConflicts),
  ]

  private static let stores: [CodeNames] = [
    CodeNames(
      134_000, NSPersistentStoreInvalidTypeError, .persistentStoreInvalidType, CocoaError.persistentStoreInvalidType),
    CodeNames(
      134_010, NSPersistentStoreTypeMismatchError, .persistentStoreTypeMismatch, CocoaError.persistentStoreTypeMismatch),
    CodeNames(
      134_020, NSPersistentStoreIncompatibleSchemaError, .persistentStoreIncompatibleSchema,
      CocoaError.persistentStoreIncompatibleSchema),
    CodeNames(134_060, NSCoreDataError, .coreData, CocoaError.coreData),
    CodeNames(134_070, NSPersistentStoreOperationError, .persistentStoreOperation, CocoaError.persistentStoreOperation),
    CodeNames(134_080, NSPersistentStoreOpenError, .persistentStoreOpen, CocoaError.persistentStoreOpen),
    CodeNames(134_090, NSPersistentStoreTimeoutError, .persistentStoreTimeout, CocoaError.persistentStoreTimeout),
    CodeNames(
      134_091, NSPersistentStoreUnsupportedRequestTypeError, .persistentStoreUnsupportedRequestType,
      CocoaError.persistentStoreUnsupportedRequestType),
    CodeNames(
      134_100, NSPersistentStoreIncompatibleVersionHashError, .persistentStoreIncompatibleVersionHash,
      CocoaError.persistentStoreIncompatibleVersionHash),
    CodeNames(134_110, NSMigrationError, .migration, CocoaError.migration),
    CodeNames(134_120, NSMigrationCancelledError, .migrationCancelled, CocoaError.migrationCancelled),
    CodeNames(
      134_130, NSMigrationMissingSourceModelError, .migrationMissingSourceModel, CocoaError.migrationMissingSourceModel),
    CodeNames(
      134_140, NSMigrationMissingMappingModelError, .migrationMissingMappingModel,
      CocoaError.migrationMissingMappingModel),
    CodeNames(
      134_150, NSMigrationManagerSourceStoreError, .migrationManagerSourceStore, CocoaError.migrationManagerSourceStore),
    CodeNames(
      134_160, NSMigrationManagerDestinationStoreError, .migrationManagerDestinationStore,
      CocoaError.migrationManagerDestinationStore),
    CodeNames(134_170, NSEntityMigrationPolicyError, .entityMigrationPolicy, CocoaError.entityMigrationPolicy),
    CodeNames(134_180, NSSQLiteError, .sqlite, CocoaError.sqlite),
    CodeNames(134_190, NSInferredMappingModelError, .inferredMappingModel, CocoaError.inferredMappingModel),
    CodeNames(134_200, NSExternalRecordImportError, .externalRecordImport, CocoaError.externalRecordImport),
  ]
}
