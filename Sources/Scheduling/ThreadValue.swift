import Foundation

/// A value of its own for each thread, in the thread's dictionary; it ends with the thread.
///
/// The value of a thread that lives on stays there when this object ends.
package final class ThreadValue<Value: AnyObject>: Sendable {
  private let key = UUID()

  package init() {}

  /// The calling thread's value, made when the thread has none.
  package func value(making make: () -> Value) -> Value {
    if let task = Simulation.task { return value(of: task, making: make) }
    let dictionary = Thread.current.threadDictionary
    if let value = dictionary[key] as? Value { return value }
    let value = make()
    dictionary[key] = value
    return value
  }

  /// In a simulation a task has the values that a thread has live.
  private func value(of task: SimulatedTask, making make: () -> Value) -> Value {
    if let value = task.values[key] as? Value { return value }
    let value = make()
    task.values[key] = value
    return value
  }
}
