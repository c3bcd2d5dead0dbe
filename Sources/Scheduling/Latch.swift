/// A one-shot event: closed until it is opened, then open for ever.
public final class Latch: @unchecked Sendable {
  // Sendable: `opener` is only touched under the graph's lock; the countdown locks itself.
  private let group = Countdown()
  private let label: String
  private let isOpen = Locked(false)
  private var opener: (thread: ThreadRecord, generation: UInt64)?

  /// A closed latch; `label` names it in reports.
  public init(label: String) {
    self.label = label
    group.enter()
  }

  /// Declares that the calling thread is the one that will open the latch, so that the wait-for graph can follow it.
  public func willBeOpenedByCurrentThread() {
    let thread = ThreadRecord.current
    WaitForGraph.update { opener = (thread, thread.generation) }
  }

  /// Lets everyone through, now and later.
  public func open() {
    let first = isOpen.withLock { open in
      defer { open = true }
      return !open
    }
    guard first else { return }
    WaitForGraph.update { opener = nil }
    group.leave()
  }

  /// Blocks the calling thread until the latch is open.
  public func wait() {
    WaitForGraph.wait(for: self) { _ in group.wait(for: waitName) }
  }

  /// Blocks the calling thread until the latch is open, but no longer than `seconds`; false when that time ran out.
  ///
  /// A cycle is reported as if there were no limit.
  public func wait(atMost seconds: Double) -> Bool {
    WaitForGraph.wait(for: self) { _ in group.wait(for: waitName, atMost: seconds) }
  }
}

extension Latch: WaitTarget {
  var waitName: String { "latch \"\(label)\"" }

  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
    guard let opener, opener.thread.generation == opener.generation else { return false }
    return walk.isStuck(opener.thread)
  }
}
