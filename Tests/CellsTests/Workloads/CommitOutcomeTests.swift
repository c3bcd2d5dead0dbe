import CoreData
import Testing

@testable import Cells

struct CommitFateTests {
  private func fate(_ code: Int, wasPushed: Bool = false) -> CommitOutcome {
    CommitOutcome(NSError(domain: NSCocoaErrorDomain, code: code), wasPushed: wasPushed)
  }

  @Test(arguments: [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError, 1570, 1600])
  func aConflictOrAnInvalidValueLeavesNothing(code: Int) {
    #expect(fate(code) == .refused(code: code))
    #expect(fate(code).type == .fail)
  }

  @Test(arguments: [NSPersistentStoreSaveError, 134_060, 256])
  func aSaveThatBrokeOffMayHaveTakenPlace(code: Int) {
    #expect(fate(code) == .unknown(code: code))
    #expect(fate(code).type == .info)
  }

  @Test func whatWasPushedMayStillBeSaved() {
    #expect(fate(NSManagedObjectMergeError, wasPushed: true).type == .info)
  }
}
