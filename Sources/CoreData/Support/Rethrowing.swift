/// Throws a block's error from elsewhere, for functions that only rethrow.
enum Rethrowing {
  /// - Parameter rescue: throws its argument; Swift takes a literal closure for one of the caller's blocks.
  static func value<Value>(of result: Result<Value, any Error>, rescue: (any Error) throws -> Value) rethrows -> Value {
    switch result {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
    }
  }
}
