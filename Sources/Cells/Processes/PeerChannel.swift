import Boundary
import Foundation
import Scheduling

/// One end of the socket between two processes of a cell; messages arrive in the order they were sent.
///
/// Sending never waits for the other end.
final class PeerChannel: Sendable {
  /// Descriptor of a started process's end.
  static let inheritedDescriptor: CInt = 3
  private static let lengthBytes = MemoryLayout<UInt32>.size

  private let descriptor: CInt
  private let outgoing: WorkPool
  private let incoming: WorkPool

  /// Takes over a descriptor.
  ///
  /// - Parameter peer: the process at the other end, for reports.
  init(_ descriptor: CInt, to peer: String) {
    precondition(descriptor >= 0, "a channel has an open descriptor")
    self.descriptor = descriptor
    outgoing = WorkPool(label: "messages to \(peer)", width: 1)
    incoming = WorkPool(label: "messages from \(peer)", width: 1)
  }

  deinit { close(descriptor) }

  /// Two connected descriptors that no other child inherits.
  static func makePair() throws(HarnessFailure) -> (CInt, CInt) {
    var ends: [CInt] = [0, 0]
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw HarnessFailure("socketpair(2): \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }

  /// Sends a message behind those before it; one to a process that is gone is dropped.
  ///
  /// - Parameter sent: called on a thread of the channel once the message is in the socket, or dropped.
  func send(_ message: PeerMessage, sent: @escaping @Sendable () -> Void = {}) {
    outgoing.submit("message") { [self] in
      guard let text = try? JSONEncoder().encode(message) else { preconditionFailure("messages are numbers and texts") }
      var bytes = withUnsafeBytes(of: UInt32(text.count).littleEndian) { Array($0) }
      bytes += text
      write(bytes[...])
      sent()
    }
  }

  /// Calls `body` with each message that comes, on a thread of the channel, and `end` when no more can come.
  func receive(_ body: @escaping @Sendable (PeerMessage) -> Void, end: @escaping @Sendable () -> Void) {
    incoming.submit("messages") { [self] in
      while let message = next() { body(message) }
      end()
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      // MSG_NOSIGNAL: the receiving side sees the end of the other process.
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func next() -> PeerMessage? {
    guard let head = read(Self.lengthBytes) else { return nil }
    let length = head.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
    return read(Int(length)).flatMap { try? JSONDecoder().decode(PeerMessage.self, from: Data($0)) }
  }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = bytes.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { return nil }
      filled += read
    }
    return bytes
  }
}
