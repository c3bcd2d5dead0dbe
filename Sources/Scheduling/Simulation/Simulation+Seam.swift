// Calls from the rest of the module. Outside of a simulation each is a load and a branch.

import CRuntime

extension Simulation {
  /// Whether the calling thread is a task of a simulation.
  package static var isRunning: Bool { current != nil }

  /// Whether it is one that runs a test's own code.
  package static var interceptsCalls: Bool { current?.options.interceptsCalls ?? false }

  /// The task of the calling thread.
  @inline(__always)
  static var task: SimulatedTask? { isOn ? ThreadRecord.Reference.current.with { $0.task } : nil }

  /// The simulation that the calling thread is part of.
  static var current: Simulation? { task?.simulation }

  /// The calling task is about to do something that others can notice; they may go first.
  @inline(__always)
  static func pass(_ point: String, _ resource: UInt64 = 0, _ subject: @autoclosure () -> String = "") {
    if isOn { passInSimulation(point, resource, subject) }
  }

  @inline(never)
  private static func passInSimulation(_ point: String, _ resource: UInt64, _ subject: () -> String) {
    guard let task else { return LiveOrder.note(point, subject) }
    uninterrupted { task.simulation.pass(task, task.simulation.step(point, resource, subject)) }
  }

  /// Runs the simulation's own work: calls that it makes are no steps of the calling task.
  @inline(__always)
  static func uninterrupted<Result>(_ body: () -> Result) -> Result {
    let isIntercepted = contextbench_set_intercepted(false)
    defer { _ = contextbench_set_intercepted(isIntercepted) }
    return body()
  }

  /// Blocks the calling task until `isOver`, which is looked at again each time `object` was woken; false outside of a
  /// simulation, where the caller has to block itself.
  @inline(__always)
  static func wait(on object: AnyObject, for reason: @autoclosure () -> String, until isOver: () -> Bool) -> Bool {
    guard isOn, let task else { return false }
    uninterrupted {
      while !isOver() { task.simulation.park(task, .parked(on: ObjectIdentifier(object), reason: reason())) }
    }
    return true
  }

  /// For an object that is being made: 1, 2 and so on in a simulation, the same in each process, and from the beginning
  /// after 65,535; 0 outside of one.
  @inline(__always)
  package static func nextObjectNumber() -> UInt16 { isOn ? numberInSimulation() : 0 }

  @inline(never)
  private static func numberInSimulation() -> UInt16 {
    guard let simulation = current else { return 0 }
    simulation.lastObjectNumber = simulation.lastObjectNumber == .max ? 1 : simulation.lastObjectNumber + 1
    return simulation.lastObjectNumber
  }

  /// Wakes tasks that wait for a change of the object.
  @inline(__always)
  static func wake(_ object: AnyObject) {
    if isOn, let simulation = current { uninterrupted { simulation.wake(ObjectIdentifier(object)) } }
  }

  /// A file without its folder, which is another one each time.
  static func name(_ subject: String) -> String {
    subject.hasPrefix("/") ? subject.split(separator: "/").last.map(String.init) ?? subject : subject
  }
}
