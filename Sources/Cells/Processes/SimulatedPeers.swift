import Boundary
import CoreData
import Scheduling

/// One process of a simulated cell, as its session sees the others: tasks bring the messages, in the order in which they are sent.
final class SimulatedPeers: CellPeers, @unchecked Sendable {
  // Sendable: the tasks of one simulation touch it, one at a time.

  /// All of them; the first is the process that the simulation begins with.
  private final class Cell {
    var peers: [SimulatedPeers] = []
    var arrivals: [Int: Int] = [:]
    var measurements: [CellMeasurement] = []
  }

  private let cell: Cell
  private var process: SimulatedProcess!
  private var inbox: [@Sendable () -> Void] = []
  private var meetings = 0
  private var waiting: [Int: @Sendable () -> Void] = [:]
  private var merge: (@Sendable (RemoteSave) -> Void)?
  private var onEnd: (@Sendable ([CellMeasurement]) -> Void)?

  private init(_ cell: Cell) { self.cell = cell }

  /// Starts the other processes of a cell, each with `body` on its main queue; the calling task's own place among them.
  static func start(
    _ count: Int, _ body: @escaping @Sendable (ProcessShare, SimulatedPeers) -> Void
  ) -> SimulatedPeers {
    precondition(count > 1, "a cell of one process has no peers")
    let cell = Cell()
    cell.peers = (0..<count).map { _ in SimulatedPeers(cell) }
    cell.peers[0].process = SimulatedProcess.current
    for (index, peer) in cell.peers.enumerated().dropFirst() {
      let share = ProcessShare(index: index, count: count)
      peer.process = SimulatedProcess.start("process \(index + 1)") { body(share, peer) }
    }
    return cell.peers[0]
  }

  private func receive(_ message: @escaping @Sendable () -> Void) {
    inbox.append(message)
    guard inbox.count == 1 else { return }
    process.run("messages") { [self] in
      while let message = inbox.first {
        message()
        inbox.removeFirst()
      }
    }
  }

  func meet(_ then: @escaping @Sendable () -> Void, arrived: @escaping @Sendable (Int) -> Void) {
    precondition(SerialQueue.main.isHeld, "processes meet on their main queues")
    let meeting = meetings
    precondition(cell.arrivals[meeting, default: 0] < cell.peers.count, "each process comes to a meeting once")
    waiting[meeting] = then
    meetings += 1
    cell.arrivals[meeting, default: 0] += 1
    guard cell.arrivals[meeting] == cell.peers.count else { return }
    for peer in cell.peers {
      peer.receive { SerialQueue.main.async { peer.waiting.removeValue(forKey: meeting)?() } }
    }
  }

  func tell(_ save: RemoteSave) {
    for peer in cell.peers where peer !== self { peer.receive { peer.merge?(save) } }
  }

  func onSave(_ body: (@Sendable (RemoteSave) -> Void)?) { merge = body }

  /// Hands the measurement of a process that has ended to the first one.
  func end(_ measurement: CellMeasurement) {
    let first = cell.peers[0]
    first.receive {
      SerialQueue.main.async {
        precondition(
          first.cell.measurements.count < first.cell.peers.count - 1, "each of the other processes ends once")
        first.cell.measurements.append(measurement)
        first.endIfAllEnded()
      }
    }
  }

  func whenStartedOnesEnded(_ then: @escaping @Sendable ([CellMeasurement]) -> Void) {
    guard self === cell.peers[0] else { return then([]) }
    onEnd = then
    endIfAllEnded()
  }

  private func endIfAllEnded() {
    guard let onEnd, cell.measurements.count == cell.peers.count - 1 else { return }
    self.onEnd = nil
    // The peers and their cell hold each other.
    cell.peers = []
    onEnd(cell.measurements)
  }
}
