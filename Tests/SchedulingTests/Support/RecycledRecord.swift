import Testing

@testable import Scheduling

/// Runs `make` on a thread that ends, then `use` on a later thread that was given the same record.
func withRecycledRecord<Value: Sendable>(
  _ make: @escaping @Sendable () -> Value, then use: @escaping @Sendable (Value) -> Void
) throws {
  let made = Locked<(ThreadRecord, Value)?>(nil)
  TestThread { made.withLock { $0 = (.current, make()) } }.join()
  let (record, value) = try #require(made.withLock { $0 })

  // Each thread that gets another record keeps it until the end, so that the right one's turn comes.
  let end = Gate(label: "end of the search")
  var others: [TestThread] = []
  defer {
    end.open()
    others.forEach { $0.join() }
  }
  let isFound = Locked(false)
  for _ in 0..<500 {
    let looked = Gate(label: "looked")
    let thread = TestThread {
      if ThreadRecord.current === record {
        use(value)
        isFound.withLock { $0 = true }
        looked.open()
      } else {
        looked.open()
        end.pass()
      }
    }
    looked.pass()
    others.append(thread)
    if isFound.withLock({ $0 }) { return }
  }
  Issue.record("no thread was given the record of the one that ended")
}
