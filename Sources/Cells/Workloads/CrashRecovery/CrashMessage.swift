import Boundary
import Foundation

/// A message from a process that will be killed to the one that kills it, one write(2) a message, so that none is ever cut.
struct CrashMessage: Equatable {
  enum Kind: Int64 {
    /// The save after which a client found the store; its first message.
    case found = 1
    /// A save begins.
    case begun
    /// A save was acknowledged as durable.
    case acknowledged
  }

  /// Descriptor that messages are written to.
  static let descriptor: CInt = 3
  static let size = 3 * MemoryLayout<Int64>.size

  var kind: Kind
  var client: Int64
  var save: Int64

  init(_ kind: Kind, client: Int64, save: Int64) {
    self.kind = kind
    self.client = client
    self.save = save
  }

  /// Reads one message; nil when the bytes are none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    let words = bytes.withUnsafeBytes { bytes in
      (0..<3).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
    }
    guard let kind = Kind(rawValue: words[0]) else { return nil }
    self.init(kind, client: words[1], save: words[2])
  }

  var bytes: [UInt8] { [kind.rawValue, client, save].withUnsafeBytes { Array($0) } }

  /// Sends it to the other end; the system has it when this returns.
  func send() {
    let bytes = bytes
    precondition(bytes.count == Self.size, "a message has the size that its reader waits for")
    guard write(Self.descriptor, bytes, bytes.count) == bytes.count else {
      CellExit.fail("no process reads the messages of a process that is to be killed: errno \(errno)")
    }
  }
}
