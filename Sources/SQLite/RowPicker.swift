import CSQLite

/// Picks the wanted rows of those that a statement comes by, and gives their columns new values.
package protocol RowPicker: AnyObject {
  /// Whether the row with that key is wanted in that version.
  func picks(key: Int64, version: Int64) -> Bool

  /// Gives the new value of a column of a picked row to `value`; columns count from 0.
  func write(column: Int, ofRow key: Int64, to value: FeedValue)
}

extension Connection {
  /// Lets statements of this connection call `NAME(key, version)`, which says whether a row is wanted, and
  /// `NAME_value(key, column)`: with them, one statement changes or deletes many rows.
  ///
  /// - Precondition: `picker` lives as long as the statements that call them.
  package func addPicker(_ name: String, _ picker: some RowPicker) throws {
    try add(name, SourcedPickerBox(picker)) { context, _, values in
      // A version that is no number is none that was read.
      guard let values, sqlite3_value_type(values[1]) == SQLITE_INTEGER else { return sqlite3_result_int(context, 0) }
      let box = Unmanaged<PickerBox>.fromOpaque(sqlite3_user_data(context))
      let isPicked = box._withUnsafeGuaranteedRef {
        $0.picks(key: sqlite3_value_int64(values[0]), version: sqlite3_value_int64(values[1]))
      }
      sqlite3_result_int(context, isPicked ? 1 : 0)
    }
    try add(name + "_value", SourcedPickerBox(picker)) { context, _, values in
      guard let context, let values else { return }
      let box = Unmanaged<PickerBox>.fromOpaque(sqlite3_user_data(context))
      box._withUnsafeGuaranteedRef { box in
        let key = sqlite3_value_int64(values[0])
        box.begin(key)
        box.write(
          column: Int(sqlite3_value_int64(values[1])), ofRow: key,
          to: FeedValue(context: context, arena: .passUnretained(box.arena)))
      }
    }
  }

  private func add(
    _ name: String, _ box: PickerBox,
    _ function: @escaping @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) throws {
    if database.replace(name, by: box) { return }
    // No schema may call it. Also when it fails, SQLite gives the box back through the last argument.
    let code = sqlite3_create_function_v2(
      database.pointer, name, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(box).toOpaque(),
      function, nil, nil, { if let data = $0 { Unmanaged<PickerBox>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw database.error(code, sql: name) }
  }
}

/// The state of a picker that SQLite holds.
private class PickerBox: Replaceable {
  /// The values of one row, which SQLite does not copy.
  let arena = BindingArena()
  @exclusivity(unchecked)
  private var row: Int64?

  func become(_ other: AnyObject) -> Bool { preconditionFailure("a box has a picker") }

  func picks(key: Int64, version: Int64) -> Bool { preconditionFailure("a box has a picker") }

  func write(column: Int, ofRow key: Int64, to value: FeedValue) { preconditionFailure("a box has a picker") }

  /// Notes that no value is next.
  func end() {
    row = nil
    arena.reset()
  }

  /// Notes that a value of that row is next.
  @inline(__always)
  func begin(_ key: Int64) {
    if row == key { return }
    row = key
    arena.reset()
  }
}

/// A box with a picker of a class known here: one that is only known to pick would be retained for each row.
private final class SourcedPickerBox<Picker: RowPicker>: PickerBox {
  /// Only kept, not retained: the store that owns both outlives them.
  private var picker: Unmanaged<Picker>

  init(_ picker: Picker) { self.picker = .passUnretained(picker) }

  override func become(_ other: AnyObject) -> Bool {
    guard let other = other as? SourcedPickerBox<Picker> else { return false }
    picker = other.picker
    end()
    return true
  }

  override func picks(key: Int64, version: Int64) -> Bool {
    picker._withUnsafeGuaranteedRef { $0.picks(key: key, version: version) }
  }

  override func write(column: Int, ofRow key: Int64, to value: FeedValue) {
    picker._withUnsafeGuaranteedRef { $0.write(column: column, ofRow: key, to: value) }
  }
}
