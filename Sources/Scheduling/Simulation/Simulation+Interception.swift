import CRuntime

// Intercepted calls ask this of the simulation: see ``contextbench_simulation``. Each function is called by a task, which has the
// baton.

extension Simulation {
  /// Has the calls of this simulation's tasks come here from now on, where something intercepts them.
  func intercept() { contextbench_intercept(Self.calls) }

  /// Serves a call of the calling task.
  @inline(__always)
  private static func served<Result>(_ body: (_ simulation: Simulation, _ task: SimulatedTask) -> Result) -> Result {
    uninterrupted {
      guard let task else { preconditionFailure("an intercepted call is one of a task") }
      // Others run by now: a task that was taken for stuck does nothing any more.
      while task.simulation.isGivenUp { task.baton.wait() }
      return body(task.simulation, task)
    }
  }

  private static func object(_ address: UInt64) -> ObjectIdentifier {
    unsafeBitCast(UInt(address), to: ObjectIdentifier.self)
  }

  private typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> Void

  private static func sendable(
    _ body: Body?, _ context: UnsafeMutableRawPointer?
  ) -> @Sendable () -> Void {
    // Handed to one task, as the call says.
    nonisolated(unsafe) let context = context
    return { body?(context) }
  }

  /// Lets the calling task do nothing until the clock is there.
  private func pause(_ task: SimulatedTask, until time: UInt64) {
    precondition(time >= clock, "a pause ends later than it begins")
    timers.add(SimulatedTimers.Timer(due: time, isTicker: false, action: .end(task)))
    park(task, .sleeping(time))
  }

  /// Lets the calling task wait for an object, at the latest until the clock is there.
  private static func park(_ address: UInt64, _ reason: UnsafePointer<CChar>?, until time: UInt64?) {
    served { simulation, task in
      if let time {
        simulation.timers.add(SimulatedTimers.Timer(due: time, isTicker: false, action: .wake(object(address))))
      }
      simulation.park(task, .parked(on: object(address), reason: text(reason)))
    }
  }

  private static func text(_ name: UnsafePointer<CChar>?) -> String { name.map { String(cString: $0) } ?? "" }

  private static func start(
    at time: UInt64, repeats: Bool, _ name: UnsafePointer<CChar>?, _ body: @escaping @Sendable () -> Void
  ) {
    served { simulation, _ in
      let task = simulation.add(text(name), body)
      task.isOfTimer = true
      task.state = .sleeping(time)
      simulation.timers.add(SimulatedTimers.Timer(due: time, isTicker: repeats, action: .end(task)))
    }
  }

  /// Makes the calling thread, which a task has made, that task from now on.
  private static func adopt(_ raw: UnsafeMutableRawPointer) {
    let task = Unmanaged<SimulatedTask>.fromOpaque(raw).takeUnretainedValue()
    precondition(Self.task == nil, "a thread that begins is no task yet")
    task.baton.wait()
    ThreadRecord.current.begin(task)
    _ = contextbench_set_intercepted(true)
  }

  /// Ends the task of the calling thread, which ends.
  private static func leave(_ raw: UnsafeMutableRawPointer) {
    _ = contextbench_set_intercepted(false)
    let task = Unmanaged<SimulatedTask>.fromOpaque(raw).takeRetainedValue()
    precondition(Self.task === task, "a thread ends the task that it is")
    ThreadRecord.current.endTask()
    task.simulation.hand(task.simulation.remove(task))
  }

  /// Never moved or freed: the interception keeps its address.
  nonisolated(unsafe) private static let calls = {
    let calls = UnsafeMutablePointer<contextbench_simulation>.allocate(capacity: 1)
    calls.initialize(to: table)
    return UnsafePointer(calls)
  }()

  private static let table = contextbench_simulation(
    pass: { point, object, subject in
      served { simulation, task in
        simulation.pass(task, simulation.step(text(point), object) { text(subject) })
      }
    },
    park: { address, reason in park(address, reason, until: nil) },
    park_until: { address, reason, time in park(address, reason, until: time) },
    pause: { nanoseconds in
      served { simulation, task in simulation.pause(task, until: simulation.clock + nanoseconds) }
    },
    wake: { address in served { simulation, _ in simulation.wake(object(address)) } },
    start: { name, identity, body, context in
      let body = sendable(body, context)
      _ = served { simulation, _ in simulation.add(text(name), identity: identity, body) }
    },
    start_at: { time, repeats, name, body, context in start(at: time, repeats: repeats, name, sendable(body, context))
    },
    announce: { name in
      served { simulation, _ in Unmanaged.passRetained(simulation.add(text(name), nil)).toOpaque() }
    },
    adopt: { raw in if let raw { adopt(raw) } },
    leave: { raw in if let raw { leave(raw) } },
    send_to_main: { body, context in
      let body = sendable(body, context)
      served { simulation, _ in simulation.sendToMain(body) }
    },
    serve_main: { served { simulation, task in simulation.serveMainOnce(task) } },
    is_main: { served { _, task in task.isMain } },
    clock: { served { simulation, _ in simulation.clock } },
    refuse: { name in abandon(.notSimulated(text(name))) })
}
