/// A block that a task of Swift's has run on whatever thread it likes, while the thread that it comes from waits for the task.
public final class AwaitedUnit<Input>: Sendable {
  fileprivate let job: Job
  private let work: Work

  fileprivate init(_ label: String, _ body: @escaping (Input) throws -> Void) {
    let work = Work(body)
    self.work = work
    job = Job(label: label) { work.run() }
  }

  /// Runs the block on the calling thread, and throws its error.
  ///
  /// - Precondition: it has not been run, and the task has not ended.
  public func run(_ input: Input) throws {
    work.input = input
    job.run()
    try work.result?.get()
  }

  /// Releases a block that was never run, too: it may not outlive the call that it comes from.
  fileprivate func end() { work.body = nil }

  /// The block with its input and its end.
  private final class Work: @unchecked Sendable {
    // Sendable: the task touches it, one part after the other, and after its end the thread that has waited for it.
    var body: ((Input) throws -> Void)?
    var input: Input?
    var result: Result<Void, any Error>?

    init(_ body: @escaping (Input) throws -> Void) { self.body = body }

    func run() {
      guard let body, let input = input.take() else { preconditionFailure("a unit is run once, while its task runs") }
      result = Result { try body(input) }
    }
  }
}

extension BlockingHop {
  /// Starts `task` as a task of Swift's, and returns once it has ended, with its error.
  ///
  /// The wait-for graph follows the wait to the thread that runs the unit, once it has begun. In a simulation every job of the
  /// task, and of tasks that are its parts, is a task of the simulation.
  ///
  /// - Parameters:
  ///   - label: names the unit in reports.
  ///   - task: has the unit run, at most once.
  ///   - body: the unit's work.
  public static func run<Input>(
    _ label: String, asPartOf task: @escaping @Sendable (AwaitedUnit<Input>) async throws -> Void,
    body: (Input) throws -> Void
  ) throws {
    try withoutActuallyEscaping(body) { body in
      let unit = AwaitedUnit(label, body)
      let end = Locked<Result<Void, any Error>?>(nil)
      let isOver = Permit()
      _ = Task(executorPreference: TaskThreads.needed) {
        do {
          try await task(unit)
          end.withLock { $0 = .success(()) }
        } catch {
          end.withLock { $0 = .failure(error) }
        }
        isOver.give()
      }
      WaitForGraph.wait(for: unit.job) { _ in isOver.wait(for: label) }
      unit.end()
      try end.withLock { $0.take() }?.get()
    }
  }
}

/// Runs the jobs of tasks on threads of its own, as blocks that a simulation knows.
private final class TaskThreads: TaskExecutor {
  /// Swift's own threads, which are as few as processors, may all wait for units; and no simulation knows them.
  static var needed: TaskThreads? { shared }

  private static let shared = TaskThreads()
  private let threads = WorkerThreads(label: "tasks", width: .max, idleMax: 16)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.add("task") { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
