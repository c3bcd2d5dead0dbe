import Foundation
import SQLite
import Scheduling

/// The part of the keys of one store's objects above the primary keys, so that a key names one row of any store of the process:
/// the same wherever a store of that UUID is open.
///
/// A key is the primary key in its lower bits and the number of the store above them; a temporary key, which is negative,
/// is in no store.
public struct StoreTag: Hashable, Sendable {
  /// Bits of the primary key; the other 23 number the stores.
  @inlinable @inline(__always)
  static var primaryKeyBits: Int64 { 40 }
  private static let storesMax: Int64 = 1 << 23

  /// From 1, by UUID. Never forgotten: a key may be kept as long as the process lives.
  private static let numbers = Locked<[String: Int64]>([:])

  /// The number of the store above the bits of the primary key.
  public let bits: Int64

  /// The tag of the stores with that UUID. Thread-safe.
  package init(uuid: String) {
    bits = Self.numbers.withLock { numbers in
      if let number = numbers[uuid] { return number << Self.primaryKeyBits }
      let number = Int64(numbers.count) + 1
      precondition(
        number < Self.storesMax, "a process opens at most \(Self.storesMax - 1) stores of different UUIDs")
      numbers[uuid] = number
      return number << Self.primaryKeyBits
    }
  }

  @inlinable @inline(__always)
  init(bits: Int64) { self.bits = bits }

  /// The tag of a permanent key.
  @inlinable @inline(__always)
  public static func of(_ key: Int64) -> StoreTag { StoreTag(bits: key & ~((1 << primaryKeyBits) - 1)) }

  /// The key of the row with that primary key, which counts from 1; nil for a number that is none.
  @inlinable @inline(__always)
  public func key(_ primaryKey: Int64) -> Int64? {
    primaryKey > 0 && primaryKey >> Self.primaryKeyBits == 0 ? primaryKey | bits : nil
  }

  /// The same where a row has that primary key.
  ///
  /// - Throws: for a number that no ID can hold.
  @inline(__always)
  package func rowKey(_ primaryKey: Int64, _ sql: @autoclosure () -> String) throws -> Int64 {
    if let key = key(primaryKey) { return key }
    throw Self.cannotHold(primaryKey, sql())
  }

  private static func cannotHold(_ primaryKey: Int64, _ sql: String) -> SQLiteError {
    SQLiteError(
      code: .outOfRange,
      message:
        "a row has the primary key \(primaryKey), and IDs hold those from 1 to \((Int64(1) << primaryKeyBits) - 1); "
        + "it is one of those that this finds: \(sql)", sql: sql)
  }

  /// The primary key; for the key of another store, or a temporary one, a number that no row has.
  @inlinable @inline(__always)
  public func primaryKey(_ key: Int64) -> Int64 { key ^ bits }

  /// Whether the key is one of this store's.
  @inlinable @inline(__always)
  public func owns(_ key: Int64) -> Bool { (key ^ bits) >> Self.primaryKeyBits == 0 }
}
