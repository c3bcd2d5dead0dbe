import Testing

@testable import Scheduling

/// Runs `make` on a thread that ends, then `use` on a later thread that was given the same record.
///
/// Other tests start threads too and may take the record for theirs; then it is tried again with another.
func withRecycledRecord<Value: Sendable>(
  _ make: @escaping @Sendable () -> Value, then use: @escaping @Sendable (Value) -> Void
) throws {
  let attempts = 100
  for _ in 0..<attempts {
    let made = Locked<(ThreadRecord, Value)?>(nil)
    TestThread { made.withLock { $0 = (.current, make()) } }.join()
    let (record, value) = try #require(made.withLock { $0 })
    if isUsed(record, by: { use(value) }) { return }
  }
  Issue.record("no thread was given the record of one that ended")
}

/// Whether one of a few threads was given `record`; that one runs `use`.
private func isUsed(_ record: ThreadRecord, by use: @escaping @Sendable () -> Void) -> Bool {
  let threadsPerAttempt = 20
  // Each thread that gets another record keeps it until the end, so that the right one's turn comes.
  let end = Latch(label: "end of the search")
  let isFound = Locked(false)
  var threads: [TestThread] = []
  while threads.count < threadsPerAttempt, !isFound.withLock({ $0 }) {
    let looked = Latch(label: "looked")
    threads.append(
      TestThread {
        if ThreadRecord.current === record {
          use()
          isFound.withLock { $0 = true }
        }
        looked.open()
        end.pass()
      })
    looked.pass()
  }
  end.open()
  threads.forEach { $0.join() }
  return isFound.withLock { $0 }
}
