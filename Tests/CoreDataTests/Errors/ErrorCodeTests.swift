import CoreData
import Testing

@Suite struct ErrorCodeTests {
  // S3.1: a Cocoa error is caught by the name of its code.
  @Test func errorsAreCaughtByTheNameOfTheirCode() throws {
    let context = try TestStack(model: Notebook.model(titleIsOptional: false)).context()
    var caught: CocoaError.Code?
    context.performAndWait {
      context.insertNote(1)
      do {
        try context.save()
      } catch CocoaError.managedObjectMerge {
        caught = .managedObjectMerge
      } catch CocoaError.validationMissingMandatoryProperty {
        caught = .validationMissingMandatoryProperty
      } catch {}
    }
    #expect(caught == .validationMissingMandatoryProperty)
  }

  // S3.1: numbers are Apple's.
  @Test func codesHaveApplesNumbers() {
    #expect(NSManagedObjectConstraintValidationError == 1551)
    #expect(NSValidationInvalidURIError == 1690)
    #expect(CocoaError.Code.managedObjectConstraintMerge.rawValue == 133021)
    #expect(CocoaError.Code.validationStringPatternMatching.rawValue == NSValidationStringPatternMatchingError)
    #expect(CocoaError.externalRecordImport.rawValue == 134200)
  }
}
