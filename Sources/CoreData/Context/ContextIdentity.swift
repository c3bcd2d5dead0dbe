import Scheduling
import Synchronization

/// Says which context it is, and has what its developer keeps with it. Any thread.
struct ContextIdentity {
  private static let lastNumber = Atomic<UInt64>(0)

  /// Names the context; never given again, as its address may be.
  let number = lastNumber.add(1, ordering: .relaxed).newValue
  /// The name that the program has given, if any.
  let name = Locked<String?>(nil)
  /// What the developer keeps with it; on the context's queue.
  let userInfo = NSMutableDictionary()
}
