import Foundation
import Scheduling

/// Looks for an order in which a test fails.
struct OrderSearch {
  /// Orders that came to no end keep their threads; so many are enough.
  private static let leavingMax = 25
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
    let first = warmUp()
    if let path = settings.replay { return try replay(path) }
    if FileManager.default.fileExists(atPath: place.file), let kept = try? ScheduleFile(path: place.file),
      let finding = body.attempt(ScriptPolicy(kept.segments), names: true).finding
    {
      throw failing(finding, kept.segments, "the order that was kept in \(place.file)", saves: false)
    }
    let tally = try search(first, countsAll: false)
    if let failing = try confirmed(tally) { throw failing }
    for warning in tally.warnings {
      FileHandle.standardError.write(Data("warning: \(place.test): \(warning)\n".utf8))
    }
  }

  /// Tries the orders that there are to try, however many fail.
  ///
  /// A finding that the stack shows in every order depends on none: a test may mean it, and it is a warning.
  func count() throws -> Tally {
    var tally = try search(warmUp(), countsAll: true)
    precondition(tally.faulty.count <= tally.orders, "an order is counted once")
    let constant = Set(tally.counts.filter { $0.value == tally.orders }.keys)
    let dependent = tally.faulty.filter { !constant.isSuperset(of: $0.signatures) }
    tally.failing += dependent.count
    if tally.first == nil, let first = dependent.first {
      tally.first = first
      tally.first?.signature = first.signatures.subtracting(constant).min()
    }
    tally.warnings += constant.sorted().map { "in every order: \($0)" }
    return tally
  }

  /// An order for work that a process does the first time only: it counts for none.
  private func warmUp() -> ExploredBody.Attempt { body.attempt(FIFOPolicy(), names: false) }

  /// An order in which the body failed.
  fileprivate struct Candidate {
    let walk: OrderTree.Walk
    let description: String
    let number: Int
    /// The kind of finding.
    let kind: String
    var signatures: Set<String> = []
    /// The fault of the stack's that it is about; nil for another finding.
    var signature: String?

    /// Whether the same is wrong.
    func isLike(_ finding: Finding) -> Bool {
      signature.map { finding.signatures.contains($0) } ?? (finding.kind == kind)
    }
  }

  /// The orders that were tried.
  struct Tally {
    fileprivate(set) var orders = 0
    /// In how many the body failed.
    fileprivate(set) var failing = 0
    /// Whether there are no more orders.
    fileprivate(set) var isExhausted = false
    /// Faults that no order fails by.
    fileprivate(set) var warnings: [String] = []
    fileprivate var first: Candidate?
    /// Orders in which only the stack shows a fault.
    fileprivate var faulty: [Candidate] = []
    /// In how many orders each fault was seen.
    fileprivate var counts: [String: Int] = [:]
    fileprivate var warned: Set<String> = []

    fileprivate mutating func warn(_ faults: [FoundFault]) {
      for fault in faults where warned.insert(fault.signature).inserted { warnings.append(fault.described) }
    }
  }

  private func search(_ first: ExploredBody.Attempt, countsAll: Bool) throws -> Tally {
    let end = SuspendingClock.now.advanced(by: .seconds(settings.seconds))
    let tree = OrderTree()
    var tally = Tally()
    try Self.refuseIfNotSimulated(first)
    var steps = max(20, first.outcome.steps)
    var leaving = first.outcome.ending == .finished ? 0 : 1
    for number in 0..<settings.schedules {
      guard tally.first == nil || countsAll, !tree.isExhausted, leaving < Self.leavingMax else { break }
      guard number == 0 || SuspendingClock.now < end else { break }
      begins(number)
      let seed = SeededRandom(seed: settings.seed).split(UInt64(number)).first
      let (base, description) = PolicyCatalogue.policy(
        named: number == 0 ? FIFOPolicy().name : settings.policy, seed: seed, number: number, steps: steps,
        stepsByTask: first.outcome.stepsByTask)
      let attempt = body.attempt(UnseenPolicy(base, tree), names: false)
      try Self.refuseIfNotSimulated(attempt)
      tally.orders += 1
      steps = max(steps, attempt.outcome.steps)
      if attempt.outcome.ending != .finished { leaving += 1 }
      guard let walk = (attempt.outcome.policy as? UnseenPolicy)?.walk else { continue }
      tree.add(walk)
      tally.warn(attempt.warnings)
      guard let finding = attempt.finding else { continue }
      for signature in finding.signatures { tally.counts[signature, default: 0] += 1 }
      var candidate = Candidate(walk: walk, description: description, number: number, kind: finding.kind)
      candidate.signatures = finding.signatures
      guard !(finding.isOnlyFaults && countsAll) else {
        tally.faulty.append(candidate)
        continue
      }
      tally.failing += 1
      if finding.isOnlyFaults { candidate.signature = finding.signatures.min() }
      if tally.first == nil { tally.first = candidate }
    }
    tally.isExhausted = tree.isExhausted
    precondition(tally.failing + tally.faulty.count <= tally.orders, "an order fails once")
    return tally
  }

  /// Ends the search after an order that met something that is not simulated: the next one would be another test.
  private static func refuseIfNotSimulated(_ attempt: ExploredBody.Attempt) throws {
    if let finding = attempt.finding, finding.kind == Finding.notSimulated {
      throw NotExplored("not simulated: \(finding.text)")
    }
  }

  /// The first order that failed, made smaller; nil where none did.
  func confirmed(_ tally: Tally) throws -> FailingOrder? {
    try tally.first.map { try confirmed($0, of: tally.orders) }
  }

  /// The order again, with names, before it is shown: an order that is not the same twice is not simulated.
  private func confirmed(_ candidate: Candidate, of orders: Int) throws -> FailingOrder {
    precondition(orders > 0, "an order that failed was tried")
    let again = body.attempt(RepeatingPolicy(candidate.walk), names: true)
    let origin = "schedule \(candidate.number) (\(candidate.description))"
    guard let finding = again.finding, candidate.isLike(finding) else {
      throw NotExplored(
        """
        not simulated: \(origin) failed, and the same order did not fail again. Something decides that \
        the simulation does not see: a time, a random number, a file or a thread of another process or library.
        """)
    }
    try Self.refuseIfNotSimulated(again)
    var segments = ScheduleSegment.segments(of: again.outcome.trace)
    // An order without end has no shorter one.
    if again.outcome.ending != .stepLimit { segments = shrink(segments, to: candidate) }
    return failing(finding, segments, "\(origin), \(orders) tried", saves: true)
  }

  // MARK: Making it smaller

  /// The script with the fewest preemptions and segments that still fails in the same way.
  private func shrink(_ segments: [ScheduleSegment], to candidate: Candidate) -> [ScheduleSegment] {
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
        guard attempt.finding.map(candidate.isLike) == true else { continue }
        let found = ScheduleSegment.segments(of: attempt.outcome.trace)
        guard Self.size(found) < Self.size(best) else { continue }
        best = found
        isSmaller = true
        break
      }
    }
    precondition(Self.size(best) <= Self.size(segments), "an order does not grow")
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
    let attempt = body.attempt(ScriptPolicy(segments), names: true, keepsStacks: true)
    let shown = attempt.finding ?? finding
    let file = ScheduleFile(test: place.test, segments: segments)
    let isKept = !saves || (try? file.write(to: place.file)) != nil
    let preemptions = segments.count { $0.stop != nil }
    return FailingOrder(
      description: """
        \(shown.kind): \(shown.text)
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
