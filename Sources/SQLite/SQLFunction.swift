import CSQLite

/// A function that SQL can call on a connection once it is registered there.
///
/// Only for queries: a function's result must not change the meaning of the store's own indexes and constraints.
package struct SQLFunction: Sendable {
  /// Computes one result; on the thread that steps the statement. An error is the statement's error.
  package typealias Body = @Sendable (SQLArguments) throws -> SQLValue

  package let name: String
  /// How many arguments; -1 for any number.
  package let argumentCount: Int
  /// Whether equal arguments always give an equal result, so that SQLite may call once for many rows.
  package let isDeterministic: Bool
  let body: Body

  package init(_ name: String, argumentCount: Int, isDeterministic: Bool = true, body: @escaping Body) {
    self.name = name
    precondition(argumentCount >= -1, "a function has so many arguments, or -1 for any number")
    self.argumentCount = argumentCount
    self.isDeterministic = isDeterministic
    self.body = body
  }
}

/// The state of an aggregate over one group.
package protocol SQLAccumulator: AnyObject {
  /// Takes the arguments of one row.
  func add(_ arguments: SQLArguments) throws
  /// The result over all rows of the group; asked once.
  func result() throws -> SQLValue
}

/// An aggregate that SQL can call on a connection once it is registered there.
package struct SQLAggregate: Sendable {
  package let name: String
  package let argumentCount: Int
  let make: @Sendable () -> any SQLAccumulator
  /// The aggregate's key in a connection.
  fileprivate let key: String

  package init(_ name: String, argumentCount: Int, make: @escaping @Sendable () -> any SQLAccumulator) {
    self.name = name
    precondition(argumentCount >= -1, "an aggregate has so many arguments, or -1 for any number")
    self.argumentCount = argumentCount
    self.make = make
    key = "\(name)/\(argumentCount)"
  }
}

extension Connection {
  /// Has `register` called once a statement is compiled that calls a function which is not there: few connections get one, and
  /// dozens of functions take as long as a small table.
  package func registerLate(_ register: @escaping (Connection) throws -> Void) { lateFunctions.append(register) }

  /// Registers what is left, where SQLite missed a function; whether there was something.
  func registersMissing(_ code: Int32) throws -> Bool {
    guard code == SQLITE_ERROR, !lateFunctions.isEmpty,
      String(cString: sqlite3_errmsg(database.pointer)).hasPrefix("no such function")
    else { return false }
    let missing = lateFunctions
    lateFunctions = []
    for register in missing { try register(self) }
    return true
  }

  /// Lets SQL on this connection call the function, in the place of one with its name and number of arguments.
  package func register(_ function: SQLFunction) throws {
    var flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    if function.isDeterministic { flags |= SQLITE_DETERMINISTIC }
    let new = FunctionBox(function)
    if database.replace("\(function.name)/\(function.argumentCount)", by: new) { return }
    let box = Unmanaged.passRetained(new)
    // Also when it fails, SQLite gives the box back through the last argument.
    let code = sqlite3_create_function_v2(
      database.pointer, function.name, Int32(clamping: function.argumentCount), flags, box.toOpaque(),
      { context, count, values in
        guard let data = sqlite3_user_data(context) else { return sqlite3_result_error_nomem(context) }
        let box = Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue()
        do {
          try box.function.body(SQLArguments(count, values)).become(resultOf: context)
        } catch {
          fail(context, error)
        }
      }, nil, nil, { if let data = $0 { Unmanaged<FunctionBox>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw database.error(code, sql: nil) }
  }

  /// Whether a connection that outlives its owners has the aggregate from one before.
  package func has(_ aggregate: SQLAggregate) -> Bool { database.registered[aggregate.key] != nil }

  /// Lets SQL on this connection call the aggregate, in the place of one with its name and number of arguments.
  package func register(_ aggregate: SQLAggregate) throws {
    let new = AggregateBox(aggregate)
    if database.replace(aggregate.key, by: new) { return }
    let box = Unmanaged.passRetained(new)
    let code = sqlite3_create_function_v2(
      database.pointer, aggregate.name, Int32(clamping: aggregate.argumentCount),
      SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC, box.toOpaque(), nil,
      { context, count, values in
        guard let accumulator = AggregateBox.accumulator(context) else { return sqlite3_result_error_nomem(context) }
        do {
          try accumulator.add(SQLArguments(count, values))
        } catch {
          fail(context, error)
        }
      },
      { context in
        // SQLite calls this once for each group, also when the statement ends early.
        let accumulator = AggregateBox.removeAccumulator(context)
        guard let accumulator else { return sqlite3_result_error_nomem(context) }
        do {
          try accumulator.result().become(resultOf: context)
        } catch {
          fail(context, error)
        }
      }, { if let data = $0 { Unmanaged<AggregateBox>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw database.error(code, sql: nil) }
  }
}

private func fail(_ context: OpaquePointer?, _ error: any Error) {
  let message = (error as? SQLiteError)?.message ?? "\(error)"
  sqlite3_result_error(context, message, -1)
}

private final class FunctionBox: Replaceable {
  private(set) var function: SQLFunction

  init(_ function: SQLFunction) { self.function = function }

  func become(_ other: AnyObject) -> Bool {
    guard let other = other as? FunctionBox, other.function.isDeterministic == function.isDeterministic else {
      return false
    }
    function = other.function
    return true
  }
}

private final class AggregateBox: Replaceable {
  private var aggregate: SQLAggregate

  init(_ aggregate: SQLAggregate) { self.aggregate = aggregate }

  func become(_ other: AnyObject) -> Bool {
    guard let other = other as? AggregateBox else { return false }
    aggregate = other.aggregate
    return true
  }

  /// The accumulator of the current group, made for its first row; nil when memory is short.
  static func accumulator(_ context: OpaquePointer?) -> (any SQLAccumulator)? {
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let place = sqlite3_aggregate_context(context, size), let data = sqlite3_user_data(context) else {
      return nil
    }
    let slot = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    if let known = slot.pointee { return Unmanaged<AccumulatorBox>.fromOpaque(known).takeUnretainedValue().accumulator }
    let made = AccumulatorBox(Unmanaged<AggregateBox>.fromOpaque(data).takeUnretainedValue().aggregate.make())
    slot.pointee = Unmanaged.passRetained(made).toOpaque()
    return made.accumulator
  }

  /// The accumulator of a group that is complete, no longer kept; a new one for a group without rows.
  static func removeAccumulator(_ context: OpaquePointer?) -> (any SQLAccumulator)? {
    // With 0 nothing is allocated: nil when no row came.
    guard let place = sqlite3_aggregate_context(context, 0) else {
      return sqlite3_user_data(context).map {
        Unmanaged<AggregateBox>.fromOpaque($0).takeUnretainedValue().aggregate.make()
      }
    }
    let slot = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    guard let known = slot.pointee else { return nil }
    slot.pointee = nil
    return Unmanaged<AccumulatorBox>.fromOpaque(known).takeRetainedValue().accumulator
  }
}

private final class AccumulatorBox {
  let accumulator: any SQLAccumulator

  init(_ accumulator: any SQLAccumulator) { self.accumulator = accumulator }
}
