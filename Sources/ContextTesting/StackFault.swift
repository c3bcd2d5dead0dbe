/// A fault that the stack itself shows, whatever a test expects.
public enum StackFault: String, CaseIterable, Sendable {
  /// A save wrote over a newer value that its context had not seen, or dropped its own for one.
  case lostUpdate = "lost-update"
  /// A context saved after it had read a value that was changed or deleted by then.
  case staleWrite = "stale-write"
  /// A save inserted an object again that another context had deleted.
  case resurrectedRecord = "resurrected-record"
  /// A relationship in the store leads to an object that is deleted.
  case danglingReference = "dangling-reference"
  /// A reset, a rollback, a refresh or the end of a context dropped changes.
  case unsavedChangesLost = "unsaved-changes-lost"
  /// A context was used off its queue.
  case contextOffQueue = "context-off-queue"
  /// An object was used off its context's queue.
  case objectOffQueue = "object-off-queue"
  /// An object of one context was used in another, which ends a process.
  case crossContextObject = "cross-context-object"
  /// A temporary ID was resolved in a context that does not know it.
  case temporaryIDEscaped = "temporary-id-escaped"
  /// The main thread waited for a queue, a semaphore or a group.
  case mainThreadStall = "main-thread-stall"
  /// A context that the test made lives on after it.
  case contextLeak = "context-leak"
  /// An observer of notifications that the test added was not removed.
  case observerLeak = "observer-leak"

  /// Whether a program may mean it, so that it fails a test only where that is asked for.
  public var isWarning: Bool {
    switch self {
    case .staleWrite, .unsavedChangesLost, .mainThreadStall, .contextLeak, .observerLeak: true
    default: false
    }
  }
}

extension Set<StackFault> {
  /// The faults that no program means.
  public static var errors: Set<StackFault> { Set(StackFault.allCases.filter { !$0.isWarning }) }

  /// Every kind, warnings too.
  public static var all: Set<StackFault> { Set(StackFault.allCases) }
}

/// One fault of an order.
struct FoundFault: Sendable {
  let fault: StackFault
  /// The thing that it is about, without the parts that differ from order to order.
  let subject: String
  let text: String
  /// The calls involved, by return addresses.
  var stacks: [(title: String, addresses: [UInt])] = []

  /// The same for the same fault in other orders, where a UUID is another one.
  var signature: String {
    "\(fault.rawValue): \(subject)".replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "UUID")
  }
}
