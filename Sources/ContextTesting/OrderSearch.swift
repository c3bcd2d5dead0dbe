import Foundation
import Scheduling

/// Looks for an order in which a test fails.
struct OrderSearch {
  /// Orders that came to no end keep their threads; so many are enough.
  private static let leavingMax = 25
  /// The search is over when so many orders, and five times as many as there are, brought no new one.
  private static let staleMin = 200
  private static let shrinkingSeconds = 5.0

  private let settings: Settings
  private let place: ScheduleFile.Place
  private let body: ExploredBody
  private let begins: @Sendable (_ schedule: Int) -> Void

  /// - Parameter begins: called before each order that is drawn.
  init(
    _ settings: Settings, _ place: ScheduleFile.Place, _ body: ExploredBody,
    begins: @escaping @Sendable (_ schedule: Int) -> Void = { _ in }
  ) {
    precondition(settings.schedules > 0, "a search tries an order")
    self.settings = settings
    self.place = place
    self.body = body
    self.begins = begins
  }

  /// Tries the orders that there are to try, and fails by the first one in which the body fails.
  ///
  /// - Throws: ``FailingOrder`` and ``NotExplored``.
  func run() throws {
    // Once for what a process does the first time only; the same order again after that.
    let first = body.attempt(FIFOPolicy(), names: false)
    if let path = settings.replay { return try replay(path) }
    if FileManager.default.fileExists(atPath: place.file), let kept = try? ScheduleFile(path: place.file),
      let finding = body.attempt(ScriptPolicy(kept.segments), names: true).finding
    {
      throw failing(finding, kept.segments, "the order that was kept in \(place.file)", saves: false)
    }
    if let failing = try confirmed(search(first, countsAll: false)) { throw failing }
  }

  /// Tries the orders that there are to try, however many fail.
  func count() throws -> Tally { try search(body.attempt(FIFOPolicy(), names: false), countsAll: true) }

  /// An order in which the body failed.
  fileprivate struct Candidate {
    let policy: any SchedulePolicy
    let description: String
    let number: Int
  }

  /// The orders that were tried.
  struct Tally {
    fileprivate(set) var schedules = 0
    fileprivate(set) var orders: Set<UInt64> = []
    /// In how many the body failed.
    fileprivate(set) var failing = 0
    /// Whether there was no new order any more.
    fileprivate(set) var isThrough = false
    fileprivate var first: Candidate?

    /// Adds an order.
    ///
    /// - Throws: ``NotExplored`` where it met what is not simulated: what it left there makes the next one another test.
    fileprivate mutating func add(_ attempt: ExploredBody.Attempt, _ candidate: Candidate) throws {
      schedules += 1
      orders.insert(attempt.outcome.fingerprint)
      guard let finding = attempt.finding else { return }
      if finding.kind == .notSimulated { throw NotExplored("not simulated: \(finding.text)") }
      failing += 1
      first = first ?? candidate
    }
  }

  private func search(_ first: ExploredBody.Attempt, countsAll: Bool) throws -> Tally {
    let end = SuspendingClock.now.advanced(by: .seconds(settings.seconds))
    var tally = Tally()
    try tally.add(first, Candidate(policy: FIFOPolicy(), description: "fifo", number: 0))
    var steps = max(20, first.outcome.steps)
    var stale = 0
    var leaving = first.outcome.ending == .finished ? 0 : 1
    for number in 1..<max(2, settings.schedules) {
      if tally.first != nil, !countsAll { break }
      tally.isThrough = stale >= max(Self.staleMin, 5 * tally.orders.count)
      guard !tally.isThrough, SuspendingClock.now < end, leaving < Self.leavingMax else { break }
      begins(number)
      let seed = SeededRandom(seed: settings.seed).split(UInt64(number)).first
      let (policy, description) = PolicyCatalogue.policy(
        named: settings.policy, seed: seed, number: number, steps: steps, stepsByTask: first.outcome.stepsByTask)
      let attempt = body.attempt(policy, names: false)
      steps = max(steps, attempt.outcome.steps)
      if attempt.outcome.ending != .finished { leaving += 1 }
      let known = tally.orders.count
      try tally.add(attempt, Candidate(policy: policy, description: description, number: number))
      stale = tally.orders.count > known ? 0 : stale + 1
    }
    return tally
  }

  /// The first order that failed, made smaller; nil where none did.
  func confirmed(_ tally: Tally) throws -> FailingOrder? {
    try tally.first.flatMap { try confirmed($0.policy, $0.description, $0.number, of: tally.schedules) }
  }

  /// The order again, with names, before it is shown: what is not the same twice is not simulated.
  private func confirmed(
    _ policy: any SchedulePolicy, _ description: String, _ number: Int, of schedules: Int
  ) throws -> FailingOrder {
    let again = body.attempt(policy, names: true)
    guard let finding = again.finding else {
      throw NotExplored(
        """
        not simulated: schedule \(number) (\(description)) failed, and the same order did not fail again. Something decides that \
        the simulation does not see: a time, a random number, a file or a thread of another process or library.
        """)
    }
    if finding.kind == .notSimulated { throw NotExplored("not simulated: \(finding.text)") }
    var segments = ScheduleSegment.segments(of: again.outcome.trace)
    // An order without end has no shorter one.
    if again.outcome.ending != .stepLimit { segments = shrink(segments, to: finding.kind) }
    return failing(finding, segments, "\(description), schedule \(number), \(schedules) tried", saves: true)
  }

  // MARK: Making it smaller

  /// The script with the fewest preemptions and segments that still fails in the same way.
  private func shrink(_ segments: [ScheduleSegment], to kind: Finding.Kind) -> [ScheduleSegment] {
    let end = SuspendingClock.now.advanced(by: .seconds(Self.shrinkingSeconds))
    var best = segments
    var leaving = 0
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for script in ScheduleSegment.lessThan(best) {
        guard SuspendingClock.now < end, leaving < Self.leavingMax else { return best }
        let attempt = body.attempt(ScriptPolicy(script), names: true)
        if attempt.outcome.ending != .finished { leaving += 1 }
        guard attempt.finding?.kind == kind else { continue }
        let found = ScheduleSegment.segments(of: attempt.outcome.trace)
        guard Self.size(found) < Self.size(best) else { continue }
        best = found
        isSmaller = true
        break
      }
    }
    return best
  }

  private static func size(_ segments: [ScheduleSegment]) -> (Int, Int) {
    (segments.count { $0.stop != nil }, segments.count)
  }

  // MARK: Showing it

  /// The order as an error, kept beside the test.
  private func failing(
    _ finding: Finding, _ segments: [ScheduleSegment], _ origin: String, saves: Bool
  ) -> FailingOrder {
    let attempt = body.attempt(ScriptPolicy(segments), names: true)
    let shown = attempt.finding ?? finding
    let file = ScheduleFile(test: place.test, segments: segments)
    let isKept = !saves || (try? file.write(to: place.file)) != nil
    let preemptions = segments.count { $0.stop != nil }
    return FailingOrder(
      description: """
        \(shown.kind.rawValue): \(shown.text)
        Order: \(origin); \(preemptions) preemption\(preemptions == 1 ? "" : "s"), \(segments.count) segments.
        \(OrderTable(attempt.outcome.trace).text)
        \(isKept ? "Repeat: CONTEXTBENCH_REPLAY=\(place.file)" : "The order could not be kept in \(place.file).")
        """)
  }

  private func replay(_ path: String) throws {
    let file = try ScheduleFile(path: path)
    guard file.test == place.test else {
      throw NotExplored("\(path) is a schedule of \(file.test), and this test is \(place.test).")
    }
    let attempt = body.attempt(ScriptPolicy(file.segments), names: true)
    if let finding = attempt.finding { throw failing(finding, file.segments, path, saves: false) }
    if let divergence = (attempt.outcome.policy as? ScriptPolicy)?.divergence {
      throw NotExplored(
        "\(path) does not fit the test any more, from segment \(divergence.segment + 1) on: \(divergence.reason).")
    }
  }
}

extension SeededRandom {
  /// The first number.
  fileprivate var first: UInt64 {
    var random = self
    return random.next()
  }
}
