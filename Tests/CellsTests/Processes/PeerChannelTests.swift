import Scheduling
import Testing

@testable import Cells

@Suite struct PeerChannelTests {
  @Test func messagesArriveInTheirOrderAndThenTheEnd() throws {
    let ends = try PeerChannel.makePair()
    let seen = Locked<[PeerMessage]>([])
    let end = WaitGroup(label: "end of the messages")
    end.enter()
    PeerChannel(ends.1, to: "sender").receive { message in
      seen.withLock { $0.append(message) }
    } end: {
      end.leave()
    }
    // More than a socket holds; the channel is gone, and its descriptor closed, when the last is sent.
    let sent = (0..<20_000).map { PeerMessage.arrived(meeting: $0) }
    do {
      let writer = PeerChannel(ends.0, to: "reader")
      for message in sent { writer.send(message) }
    }
    end.wait()
    #expect(seen.current == sent)
  }
}
