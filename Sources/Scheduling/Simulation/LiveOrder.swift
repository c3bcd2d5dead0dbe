import Synchronization

/// The order in which the threads of a live process come to the places where tasks of a simulation give way to each other.
///
/// Blocks, jobs and threads have the names of the tasks that a simulation would make of them, so that a ``ScriptPolicy`` can
/// follow the notes. It is the order in which threads came to the places: their work there may have happened in another one.
package enum LiveOrder {
  /// Steps that are noted at most.
  package static let stepsMax = 200_000

  /// The notes so far.
  package struct Noted: Sendable {
    /// The order, as a policy follows it.
    package let segments: [ScheduleSegment]
    /// Whether there were more steps than are noted.
    package let isCut: Bool
  }

  /// One thread of control, as a simulation would have it.
  final class Task: Sendable {
    /// Not unique.
    let name: String
    /// The same with its number among the tasks of that name, from the second on.
    let key: String

    init(name: String, key: String) {
      self.name = name
      self.key = key
    }
  }

  /// A place that a task came to.
  struct Passage: Sendable, Hashable {
    let task: String
    let point: String
    let subject: String
  }

  private static let on = Atomic<Bool>(false)
  private static let main = Task(name: "main", key: "main")
  private static let state = Locked((names: [String: Int](), passages: [Passage](), isCut: false))

  /// Whether the order of this process is being noted.
  static var isOn: Bool { on.load(ordering: .relaxed) }

  /// Begins to note.
  ///
  /// - Precondition: no simulation runs in this process, and nothing is being noted.
  package static func begin() {
    precondition(!Simulation.isOn, "a process is live or simulated, and its order is noted once")
    state.withLock { $0 = ([main.name: 1], [], false) }
    on.store(true, ordering: .releasing)
    Simulation.setNoted(true)
  }

  /// Ends it; nil where nothing was being noted.
  package static func end() -> Noted? {
    guard isOn else { return nil }
    Simulation.setNoted(false)
    on.store(false, ordering: .releasing)
    return state.withLock { state in
      defer { state = ([:], [], false) }
      return Noted(segments: segments(of: state.passages), isCut: state.isCut)
    }
  }

  /// A new task.
  static func task(_ name: String) -> Task {
    state.withLock { state in
      let count = state.names[name, default: 0] + 1
      state.names[name] = count
      return Task(name: name, key: count == 1 ? name : "\(name) #\(count)")
    }
  }

  /// The task noted for the calling thread, which has this record; nil where it is no task, and nothing is noted.
  static func task(of thread: ThreadRecord) -> Task? {
    guard isOn else { return nil }
    return thread.noted ?? (thread.isMain ? main : nil)
  }

  /// Runs `body` as `task` on the calling thread.
  ///
  /// - Parameter point: where the task is when it begins with this.
  static func run(_ task: Task, from point: String, _ body: () -> Void) {
    let thread = ThreadRecord.Reference.current
    let outer = thread.with { $0.noted }
    thread.with { $0.noted = task }
    note(point) { task.name }
    body()
    thread.with { $0.noted = outer }
  }

  /// The calling thread has come to a place; nothing is noted of threads that are no tasks.
  static func note(_ point: String, _ subject: () -> String) {
    // Whether a task has to wait depends on the moment; that it waits follows from the others' steps.
    guard point != WaitCheckpoints.begin.name, point != WaitCheckpoints.over.name else { return }
    guard let task = ThreadRecord.Reference.current.with({ task(of: $0) }) else { return }
    let passage = Passage(task: task.key, point: point, subject: Simulation.name(subject()))
    state.withLock { state in
      guard state.passages.count < stepsMax else { return state.isCut = true }
      state.passages.append(passage)
    }
  }

  /// The segments of this order for a policy: each task runs until the place it came to when it was its turn again.
  static func segments(of passages: [Passage]) -> [ScheduleSegment] {
    var counts: [Passage: Int] = [:]
    let numbers = passages.map { passage in
      counts[passage, default: 0] += 1
      return counts[passage, default: 0]
    }
    var segments: [ScheduleSegment] = []
    var following: [String: ScheduleSegment.Stop] = [:]
    for index in passages.indices.reversed() {
      let passage = passages[index]
      let isLast = index + 1 == passages.count || passages[index + 1].task != passage.task
      if isLast { segments.append(ScheduleSegment(task: passage.task, stop: following[passage.task])) }
      following[passage.task] = ScheduleSegment.Stop(
        point: passage.point, subject: passage.subject, nth: numbers[index])
    }
    return segments.reversed()
  }
}
