import Checking

/// The changes of one unit of work, as histories record them.
public protocol UnitChanges {
  /// Whether a failed save is recorded as one, too; true where nothing is said.
  static var recordsFailedSaves: Bool { get }
  /// Objects that are made, changed or deleted.
  var objectCount: Int { get }

  /// Records each change: as begun, in the file, left open or failed.
  ///
  /// - Parameter code: the error's, of a failed unit; else 0.
  func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder)

  /// Records that a parent context has the changes; nothing where nothing is said.
  func recordPush(in recorder: WorkerRecorder)
}

extension UnitChanges {
  /// A failed save is recorded.
  public static var recordsFailedSaves: Bool { true }

  /// Records nothing of a push.
  public func recordPush(in recorder: WorkerRecorder) {}
}
