/// The orders in which queues were entered inside each other, and the cycles among them that could deadlock.
///
/// An edge A → B says that a task came into B while it held A. Edges in a ring deadlock in some interleaving when
/// each is another task's and no two were made under a common queue: that queue would let one task at a time into the
/// ring. Queues and tasks are known by numbers.
/// - SeeAlso: Havelund, "Using Runtime Analysis to Guide Model Checking of Java Programs" (2000): guarded lock cycles.
struct OrderGraph<Place> {
  struct Edge: Hashable {
    let outer: UInt64
    let inner: UInt64
  }

  /// One observation of an edge, under one set of queues.
  private struct Sighting {
    /// All queues that the task held.
    var guards: Set<UInt64>
    /// The tasks that did it; some of them.
    var tasks: [UInt64]
    /// Where it was seen first.
    let place: Place
  }

  /// More tasks than this do not make more rings possible than these do.
  static var tasksMax: Int { Self.ringMax }
  /// The longest ring that is looked for: the search takes exponential time in its length.
  static var ringMax: Int { 6 }

  private var sightings: [Edge: [Sighting]] = [:]
  private var inners: [UInt64: Set<UInt64>] = [:]
  private var reported: Set<Set<UInt64>> = []

  /// Edges known; for tests.
  var edges: Set<Edge> { Set(sightings.keys) }

  /// A task comes into `inner` while it holds `held`; the rings that are possible since then, each once, as edges with
  /// the places where they were first seen.
  mutating func enter(
    _ inner: UInt64, holding held: [UInt64], task: UInt64, at place: @autoclosure () -> Place
  ) -> [[(edge: Edge, place: Place)]] {
    let guards = Set(held)
    guard !guards.contains(inner) else { return [] }
    var rings: [[(edge: Edge, place: Place)]] = []
    var here: Place?
    for outer in guards.sorted() {
      let edge = Edge(outer: outer, inner: inner)
      guard let seen = note(edge, guards, task, &here, place) else { continue }
      var path = Path(edge: edge, guards: guards, task: task, place: seen)
      close(&path, into: &rings)
    }
    return rings
  }

  /// Keeps a sighting; the place of the first of its kind, or nil when there is nothing new in it.
  private mutating func note(
    _ edge: Edge, _ guards: Set<UInt64>, _ task: UInt64, _ here: inout Place?, _ place: () -> Place
  ) -> Place? {
    inners[edge.outer, default: []].insert(edge.inner)
    if let known = sightings[edge]?.firstIndex(where: { $0.guards == guards }),
      let sighting = sightings[edge]?[known]
    {
      guard !sighting.tasks.contains(task), sighting.tasks.count < Self.tasksMax else { return nil }
      sightings[edge]?[known].tasks.append(task)
      return sighting.place
    }
    let new = here ?? place()
    here = new
    sightings[edge, default: []].append(Sighting(guards: guards, tasks: [task], place: new))
    return new
  }

  // MARK: Rings

  /// Edges that follow each other, made by tasks and under queues that have nothing in common.
  private struct Path {
    var edges: [(edge: Edge, place: Place)]
    var guards: Set<UInt64>
    var tasks: [UInt64]

    init(edge: Edge, guards: Set<UInt64>, task: UInt64, place: Place) {
      edges = [(edge, place)]
      self.guards = guards
      tasks = [task]
    }
  }

  /// Follows the path until it comes back to where it began.
  private mutating func close(_ path: inout Path, into rings: inout [[(edge: Edge, place: Place)]]) {
    precondition(path.edges.count == path.tasks.count, "each edge of a path has its own task")
    guard let start = path.edges.first?.edge.outer, let end = path.edges.last?.edge.inner else { return }
    for inner in (inners[end] ?? []).sorted() where inner == start || path.edges.count + 1 < Self.ringMax {
      // A ring goes through each of its queues once.
      if inner != start, path.edges.contains(where: { $0.edge.inner == inner }) { continue }
      let edge = Edge(outer: end, inner: inner)
      for sighting in sightings[edge] ?? [] where path.guards.isDisjoint(with: sighting.guards) {
        for task in sighting.tasks where !path.tasks.contains(task) {
          path.edges.append((edge, sighting.place))
          path.tasks.append(task)
          let guards = path.guards
          path.guards.formUnion(sighting.guards)
          if inner != start {
            close(&path, into: &rings)
          } else if reported.insert(Set(path.edges.map(\.edge.outer))).inserted {
            rings.append(path.edges)
          }
          path.edges.removeLast()
          path.tasks.removeLast()
          path.guards = guards
        }
      }
    }
  }

  // MARK: Forgetting

  /// Forgets a queue that is gone: no thread will enter it again.
  ///
  /// Edges seen under it stay: they may come under another queue the next time.
  mutating func forget(_ queue: UInt64) {
    for edge in sightings.keys where edge.outer == queue || edge.inner == queue { sightings[edge] = nil }
    inners[queue] = nil
    for outer in inners.keys { inners[outer]?.remove(queue) }
    for (edge, seen) in sightings where seen.contains(where: { $0.guards.contains(queue) }) {
      var kept: [Sighting] = []
      for var sighting in seen {
        sighting.guards.remove(queue)
        if let same = kept.firstIndex(where: { $0.guards == sighting.guards }) {
          for task in sighting.tasks where !kept[same].tasks.contains(task) {
            if kept[same].tasks.count < Self.tasksMax { kept[same].tasks.append(task) }
          }
        } else {
          kept.append(sighting)
        }
      }
      sightings[edge] = kept
    }
    reported = reported.filter { !$0.contains(queue) }
  }
}
