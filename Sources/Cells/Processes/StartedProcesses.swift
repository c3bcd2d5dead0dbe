import Boundary
import CoreData
import Scheduling

/// The first process's side: starts the others, lets all meet, hands their saves on, and sees how each one ends.
final class StartedProcesses: CellPeers, @unchecked Sendable {
  // Sendable: meetings and ends are only touched on the main thread; the rest is constant once all are started, or locked.

  /// One that was started.
  private struct Peer {
    let share: ProcessShare
    let process: StartedProcess
    let channel: PeerChannel
    let directory: String
  }

  private let share: ProcessShare
  private let onBreak: @Sendable (BrokenProcess?) -> Void
  private let onSave = Locked<(@Sendable (RemoteSave) -> Void)?>(nil)
  private var peers: [Peer] = []
  private var meetings = 0
  private var arrivals: [Int: Int] = [:]
  private var waiting: [Int: @Sendable () -> Void] = [:]
  private var measurements: [CellMeasurement] = []
  private var onEnd: (@Sendable ([CellMeasurement]) -> Void)?

  /// Starts the others with shares of their own and folders in the cell's; on the main thread, with which they die.
  ///
  /// - Parameter onBreak: called on some thread when one ends before its time, without a value when it left its report of
  ///   a dead end.
  init(
    _ request: CellRequest, onBreak: @escaping @Sendable (BrokenProcess?) -> Void
  ) throws {
    precondition(request.share.isFirst, "the first process of a cell starts the others")
    share = request.share
    self.onBreak = onBreak
    for index in 1..<share.count {
      peers.append(try Self.start(ProcessShare(index: index, count: share.count), request))
    }
    for peer in peers { listen(to: peer) }
  }

  private static func start(_ share: ProcessShare, _ request: CellRequest) throws -> Peer {
    var own = request
    own.startedAs = share
    own.cellDirectory = request.directory
    own.directory = CellRequest.directory(of: share.index, in: request.directory)
    try FileManager.default.createDirectory(atPath: own.directory, withIntermediateDirectories: true)
    let input = own.directory + "/request.json"
    try JSONEncoder().encode(own).write(to: URL(fileURLWithPath: input))
    let ends = try PeerChannel.makePair()
    defer { close(ends.1) }
    let process = try StartedProcess(
      StartedProcess.Start(
        arguments: ["cell", "--parent", String(getpid())], inputPath: input,
        passing: (ends.1, PeerChannel.inheritedDescriptor)))
    return Peer(
      share: share, process: process, channel: PeerChannel(ends.0, to: share.name), directory: own.directory)
  }

  private func listen(to peer: Peer) {
    peer.channel.receive { [self] message in
      switch message {
      case .arrived(let meeting): SerialQueue.main.async { [self] in arrive(meeting) }
      case .proceed: break
      case .saved(let save):
        for other in peers where other.share != peer.share { other.channel.send(message) }
        onSave.current?(save)
      }
    } end: { [self] in
      ended(peer, peer.process.wait())
    }
  }

  private func ended(_ peer: Peer, _ end: StartedProcess.End) {
    let file = URL(fileURLWithPath: peer.directory).appendingPathComponent(CellMeasurement.fileName)
    let measurement = (try? Data(contentsOf: file)).flatMap {
      try? JSONDecoder().decode(CellMeasurement.self, from: $0)
    }
    guard end == StartedProcess.End(signal: 0, status: 0), let measurement else {
      return onBreak(BrokenProcess(name: peer.share.name, signal: end.signal, status: end.status))
    }
    guard measurement.isComplete else { return onBreak(nil) }
    SerialQueue.main.async { [self] in
      precondition(measurements.count < peers.count, "each of the other processes ends once")
      measurements.append(measurement)
      endIfAllEnded()
    }
  }

  private func endIfAllEnded() {
    guard let onEnd, measurements.count == peers.count else { return }
    self.onEnd = nil
    onEnd(measurements)
  }

  // MARK: CellPeers

  func meet(_ then: @escaping @Sendable () -> Void, arrived: @escaping @Sendable (Int) -> Void) {
    precondition(SerialQueue.main.isHeld, "processes meet on their main queues")
    waiting[meetings] = then
    meetings += 1
    arrived(meetings)
    arrive(meetings - 1)
  }

  private func arrive(_ meeting: Int) {
    arrivals[meeting, default: 0] += 1
    guard arrivals[meeting] == share.count, let then = waiting.removeValue(forKey: meeting) else { return }
    for peer in peers { peer.channel.send(.proceed(meeting: meeting)) }
    then()
  }

  func tell(_ save: RemoteSave) {
    for peer in peers { peer.channel.send(.saved(save)) }
  }

  func onSave(_ body: (@Sendable (RemoteSave) -> Void)?) { onSave.withLock { $0 = body } }

  func whenStartedOnesEnded(_ then: @escaping @Sendable ([CellMeasurement]) -> Void) {
    precondition(onEnd == nil, "the end of the others is waited for once")
    onEnd = then
    endIfAllEnded()
  }
}
