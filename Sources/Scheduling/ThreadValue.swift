import Foundation

/// A value of its own for each thread, in the thread's dictionary; it ends with the thread.
///
/// The value of a thread that lives on stays there when this object ends.
package final class ThreadValue<Value: AnyObject>: Sendable {
  private let key = UUID()

  package init() {}

  /// The calling thread's value, made when the thread has none.
  package func value(making make: () -> Value) -> Value {
    let dictionary = Thread.current.threadDictionary
    if let value = dictionary[key] as? Value { return value }
    let value = make()
    dictionary[key] = value
    return value
  }
}
