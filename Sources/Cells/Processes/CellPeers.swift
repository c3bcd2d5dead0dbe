import Boundary

/// The other processes of a cell, as one of them sees them.
protocol CellPeers: AnyObject, Sendable {
  /// Calls `then` on main once every process has reached the same meeting, and every save posted before is
  /// enqueued on main; on the main thread.
  ///
  /// - Parameter arrived: called on some thread, with the number of this process's meetings so far, once the others
  ///   need nothing more of this process to meet.
  func meet(_ then: @escaping @Sendable () -> Void, arrived: @escaping @Sendable (Int) -> Void)

  /// Tells the others of a save. Any thread; does not wait.
  func tell(_ save: RemoteSave)

  /// Has `body` called with each save of another process, on some thread and in the order of each process's saves; nil =
  /// saves are dropped.
  func onSave(_ body: (@Sendable (RemoteSave) -> Void)?)

  /// Calls `then` on main with the measurements of the processes that this one started, once they have ended.
  func whenStartedOnesEnded(_ then: @escaping @Sendable ([CellMeasurement]) -> Void)
}

/// The messages between the processes of a cell; JSON after its length in four bytes.
enum PeerMessage: Codable, Equatable, Sendable {
  /// The sender has come to the meeting of this number, from 0.
  case arrived(meeting: Int)
  /// All have come to it.
  case proceed(meeting: Int)
  /// A context of the sender has saved to the file.
  case saved(RemoteSave)
}
