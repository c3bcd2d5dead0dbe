import Boundary
import Checking
import CoreData

/// The stack's answer is not the one a workload relies on, such as a row that is missing though its save was acknowledged.
package struct UnexpectedAnswer: Error {
  package let subject: String
  package let expected: String
  package let seen: String

  package init(subject: String, expected: String, seen: String) {
    precondition(!subject.isEmpty && !expected.isEmpty && !seen.isEmpty, "a wrong answer says what was asked")
    (self.subject, self.expected, self.seen) = (subject, expected, seen)
  }
}

extension Violation {
  /// The stack's answer, where a workload cannot continue after it; nil where the harness failed, or the machine beneath
  /// it.
  ///
  /// - Parameter isOfFault: whether a fault that the scenario asks for explains it.
  init?(endingBy error: any Error, isOfFault: Bool = false) {
    if let answer = error as? UnexpectedAnswer {
      self.init(kind: .wrongValue, subject: answer.subject, expected: answer.expected, seen: answer.seen)
      return
    }
    let error = error as NSError
    guard error.domain == NSCocoaErrorDomain else { return nil }
    let sqlite = error.userInfo[NSSQLiteErrorDomain] as? Int
    // Foundation's own errors have this domain as well.
    guard sqlite != nil || Self.coreDataCodes.contains(where: { $0.contains(error.code) }) else { return nil }
    if let sqlite, !isOfFault, Self.machineCodes.contains(sqlite & 0xFF) { return nil }
    let isOfSave = Self.validationCodes.contains(error.code) || Self.saveCodes.contains(error.code)
    self.init(
      kind: isOfSave ? .failedSave : .wrongValue, subject: isOfSave ? "a save" : "a request",
      expected: "no error that the workload does not ask for", seen: "\(error.code): \(error.localizedDescription)")
  }

  private static let validationCodes = 1_550...1_699
  /// Of validation, and of managed objects, stores and migration.
  private static let coreDataCodes = [validationCodes, 132_000...134_999]
  private static let saveCodes: Set<Int> = [
    NSManagedObjectMergeError, NSManagedObjectConstraintMergeError, NSPersistentStoreSaveError,
  ]
  /// No memory, a failing disk, a full one, a file that cannot be opened.
  private static let machineCodes: Set<Int> = [7, 10, 13, 14]
}

extension CellSession {
  /// Ends the process because a workload cannot continue: with a violation where that is the stack's answer or a fault's, else
  /// as a failure of the harness.
  public func fail(_ error: any Error) -> Never {
    if let violation = Violation(endingBy: error, isOfFault: faults.explains(error)) {
      CellReports.report(violation)
      endEarly()
    }
    CellExit.fail("\(error)")
  }
}
