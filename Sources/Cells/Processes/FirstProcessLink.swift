import Boundary
import CoreData
import Scheduling

/// A started process's side: all it knows of the others comes through the first.
final class FirstProcessLink: CellPeers, @unchecked Sendable {
  // Sendable: the meetings are only touched on the main thread.
  private let channel: PeerChannel
  private let onSave = Locked<(@Sendable (RemoteSave) -> Void)?>(nil)
  private var meetings = 0
  private var waiting: [Int: @Sendable () -> Void] = [:]

  /// Listens to the process that started this one.
  init(_ share: ProcessShare) {
    _ = fcntl(PeerChannel.inheritedDescriptor, F_SETFD, FD_CLOEXEC)
    channel = PeerChannel(
      PeerChannel.inheritedDescriptor, to: ProcessShare(index: 0, count: share.count).name)
    channel.receive { [self] message in
      switch message {
      case .arrived: break
      case .proceed(let meeting):
        SerialQueue.main.async { [self] in waiting.removeValue(forKey: meeting)?() }
      case .saved(let save): onSave.current?(save)
      }
    } end: {
      // Without its parent this process dies.
    }
  }

  func meet(_ then: @escaping @Sendable () -> Void, arrived: @escaping @Sendable (Int) -> Void) {
    precondition(SerialQueue.main.isHeld, "processes meet on their main queues")
    waiting[meetings] = then
    let message = PeerMessage.arrived(meeting: meetings)
    meetings += 1
    channel.send(message) { [meetings] in arrived(meetings) }
  }

  func tell(_ save: RemoteSave) { channel.send(.saved(save)) }

  func onSave(_ body: (@Sendable (RemoteSave) -> Void)?) { onSave.withLock { $0 = body } }

  func whenStartedOnesEnded(_ then: @escaping @Sendable ([CellMeasurement]) -> Void) { then([]) }
}
