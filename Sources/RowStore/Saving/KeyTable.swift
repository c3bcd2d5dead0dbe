/// The permanent keys that objects get by one save, by their temporary keys.
///
/// Complexity: O(1) a look-up; O(*n*) memory for *n* keys.
package struct KeyTable {
  /// Up to so many places for one key a list is used, else a dictionary.
  private static let largestSpread = 8

  /// The temporary key at the first place of the list; the others are below it.
  private let first: Int64
  /// By the distance from ``first``; 0 where no key was allotted yet, and ``unknown`` where the key is none of the save's.
  private var list: ContiguousArray<Int64> = []
  private var rest: [Int64: Int64] = [:]
  private static let unknown: Int64 = -1

  /// - Parameter keys: temporary ones, none of which has a permanent one yet.
  package init(_ keys: ContiguousArray<Int64>) {
    guard let lowest = keys.min(), let highest = keys.max() else {
      first = 0
      return
    }
    precondition(highest < 0, "temporary keys are negative")
    first = highest
    if highest - lowest < Int64(keys.count) * Int64(Self.largestSpread) {
      list = ContiguousArray(repeating: Self.unknown, count: Int(highest - lowest) + 1)
    }
    for key in keys { self[key] = 0 }
  }

  /// The permanent key: 0 before it is allotted, nil for a key that is none of the save's.
  @inline(__always)
  package subscript(temporary: Int64) -> Int64? {
    get {
      if let place = place(temporary) { return list[place] == Self.unknown ? rest[temporary] : list[place] }
      return rest.isEmpty ? nil : rest[temporary]
    }
    set {
      if let place = place(temporary), let newValue {
        list[place] = newValue
      } else {
        rest[temporary] = newValue
      }
    }
  }

  /// The key in the store of an object with either kind of key; 0 for a temporary one that is none of the save's.
  @inline(__always)
  package func permanent(_ key: Int64) -> Int64 { key > 0 ? key : self[key] ?? 0 }

  @inline(__always)
  private func place(_ temporary: Int64) -> Int? {
    let distance = first - temporary
    return distance >= 0 && distance < Int64(list.count) ? Int(distance) : nil
  }
}
