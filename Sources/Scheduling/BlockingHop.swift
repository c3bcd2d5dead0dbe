/// A block that another thread runs while the calling thread waits for it.
public enum BlockingHop {
  /// Runs `body` in a block that `send` hands on, and returns once it has ended, with its value or error.
  ///
  /// The wait-for graph follows the wait to the thread that runs the block, once it has begun.
  ///
  /// - Parameters:
  ///   - label: names the block in reports.
  ///   - send: hands the block on to be run once, on whatever thread; it may run it at once.
  public static func run<Value>(
    _ label: String, sentBy send: (@escaping @Sendable () -> Void) -> Void, body: () throws -> Value
  ) throws -> Value {
    try run({ Job(label: $0, $1) }, label, sentBy: send, body: body)
  }

  /// The same for a block that an executor will run: then the graph can follow the wait from the start.
  static func run<Value>(
    _ label: String, on executor: any Executor, body: () throws -> Value
  ) throws -> Value {
    try run({ Job(label: $0, on: executor, $1) }, label, sentBy: { executor.execute(label, $0) }, body: body)
  }

  private static func run<Value>(
    _ makeJob: (String, @escaping @Sendable () -> Void) -> Job, _ label: String,
    sentBy send: (@escaping @Sendable () -> Void) -> Void, body: () throws -> Value
  ) throws -> Value {
    var result: Result<Value, any Error>?
    withoutActuallyEscaping(body) { body in
      let work = Work { result = Result(catching: body) }
      let job = makeJob(label) { work.run() }
      let isOver = Permit()
      send {
        job.run()
        isOver.give()
      }
      WaitForGraph.wait(for: job) { _ in isOver.wait(for: label) }
    }
    guard let result else { preconditionFailure("a block that is over has a result") }
    return try result.get()
  }

  /// The work of the other thread.
  private struct Work: @unchecked Sendable {
    // Sendable: it is run once, by one thread, while the thread it comes from waits.
    let run: () -> Void
  }
}

extension Job: WaitTarget {
  var waitName: String { "block \"\(label)\"" }
}
