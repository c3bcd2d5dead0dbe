import CoreData
import Testing

@testable import Cells
@testable import Checking

@Suite struct UnexpectedAnswerTests {
  private static func error(_ code: Int, sqlite: Int? = nil, domain: String = NSCocoaErrorDomain) -> NSError {
    NSError(domain: domain, code: code, userInfo: sqlite.map { [NSSQLiteErrorDomain: $0] } ?? [:])
  }

  @Test(arguments: [
    NSManagedObjectMergeError, NSManagedObjectConstraintMergeError, NSPersistentStoreSaveError,
    NSValidationMultipleErrorsError,
  ]) func aRefusedSaveIsTheStacks(code: Int) {
    #expect(Violation(endingBy: Self.error(code))?.kind == .failedSave)
    // Busy.
    #expect(Violation(endingBy: Self.error(code, sqlite: 5))?.kind == .failedSave)
  }

  @Test func aRefusedRequestIsTheStacks() throws {
    let violation = try #require(Violation(endingBy: Self.error(134_060)))
    #expect(violation.kind == .wrongValue)
    #expect(violation.seen.hasPrefix("134060: "))
    // A row that was asked for by its ID is not there.
    #expect(Violation(endingBy: Self.error(NSManagedObjectReferentialIntegrityError))?.kind == .wrongValue)
    // A malformed file, which Foundation has a code for.
    #expect(Violation(endingBy: Self.error(259, sqlite: 11))?.kind == .wrongValue)
  }

  @Test func whatIsNotThereIsTheStacks() throws {
    let answer = UnexpectedAnswer(subject: "counter 3", expected: "its row", seen: "no row")
    let violation = try #require(Violation(endingBy: answer))
    #expect(violation.kind == .wrongValue && violation.subject == "counter 3")
  }

  @Test(arguments: [7, 10, 13, 14, 10 | 6 << 8]) func aFailingMachineIsNotTheStacks(sqlite: Int) {
    #expect(Violation(endingBy: Self.error(NSPersistentStoreSaveError, sqlite: sqlite)) == nil)
  }

  @Test func anErrorOfTheHarnessIsNotTheStacks() {
    // Foundation's: no room for a file, no permission.
    #expect(Violation(endingBy: Self.error(640)) == nil)
    #expect(Violation(endingBy: Self.error(513)) == nil)
    #expect(Violation(endingBy: Self.error(133_020, domain: NSPOSIXErrorDomain)) == nil)
  }
}
