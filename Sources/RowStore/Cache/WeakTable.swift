import Foundation
import CRuntime
import Scheduling

/// Objects by ``RowIdentity`` without keeping them alive: an identity map, or a cache that lasts as long as its users.
///
/// Each object takes itself out in its deinitialiser (``remove(_:ifItIs:)``), before its memory goes, so that an entry
/// found under the lock always points to memory; whether it still lives, `swift_tryRetain` tells.
///
/// Neighbouring keys lie together (``KeyPages``). Thread-safe. Complexity: O(1) expected for each call.
public final class WeakTable<Object: AnyObject>: Sendable {
  /// The state that the lock guards; ``edit(_:)`` takes it once for many changes.
  public struct Entries {
    @usableFromInline var values = KeyPages<UnsafeMutableRawPointer>()

    @inlinable
    init() {}

    /// Lists `object`, in place of another one where there is one.
    @inlinable @inline(__always)
    public mutating func set(_ identity: RowIdentity, _ object: Object) {
      values.set(identity, Unmanaged.passUnretained(object).toOpaque())
    }

    /// Lists `object`, in place of another one only if `isReplaced` says so of that one; whether it is listed now.
    ///
    /// - Parameter isReplaced: sees an object that may be about to go; must neither keep nor release it.
    @inlinable @inline(__always)
    public mutating func set(_ identity: RowIdentity, _ object: Object, replacing isReplaced: (Object) -> Bool) -> Bool
    {
      let place = values.take(identity)
      if let old = place.pointee {
        guard Unmanaged<Object>.fromOpaque(old)._withUnsafeGuaranteedRef(isReplaced) else { return false }
      }
      place.pointee = Unmanaged.passUnretained(object).toOpaque()
      return true
    }

    /// The living object under that identity; its release is not to happen under the lock.
    @inlinable @inline(__always)
    public func object(_ identity: RowIdentity) -> Object? { WeakTable.retained(values[identity]) }

    /// Takes out whatever is listed under that identity.
    @inlinable
    public mutating func remove(_ identity: RowIdentity) { values.remove(identity) }

    /// Takes `object` out if it is still the one listed under that identity.
    @inlinable @inline(__always)
    public mutating func remove(_ identity: RowIdentity, ifItIs object: Object) {
      values.remove(identity) { $0 == Unmanaged.passUnretained(object).toOpaque() }
    }

    /// Makes room for so many more with neighbouring keys.
    @inlinable
    public mutating func reserve(_ additional: Int) { values.reserve(additional) }

    /// Every living object, by root and key: as they were made, and lie in memory.
    ///
    /// Complexity: O(*n* log *n*) for *n* sixteenths of the objects.
    @inlinable
    var living: [Object] {
      var living: [Object] = []
      living.reserveCapacity(values.count)
      values.forEach { if let object = WeakTable.retained($0) { living.append(consume object) } }
      return living
    }
  }

  @usableFromInline
  let storage: Locked<Entries>

  @inlinable @inline(__always)
  static func retained(_ pointer: UnsafeMutableRawPointer?) -> Object? {
    guard let pointer, let living = swift_tryRetain(pointer) else { return nil }
    return Unmanaged<Object>.fromOpaque(living).takeRetainedValue()
  }

  /// Makes an empty table.
  @inlinable
  public init() { storage = Locked(Entries()) }

  deinit { storage.withLock { $0.values.deallocate() } }

  /// How many objects are listed.
  @inlinable
  public var count: Int { storage.withLock { $0.values.count } }

  /// The living object under that identity.
  ///
  /// - Parameter prefetch: has the processor load parts of the object that will be read, while the lock is given back; under
  ///   the lock, must call nothing that could release an `Object`.
  @inlinable
  public func object(_ identity: RowIdentity, prefetch: (Object) -> Void = { _ in }) -> Object? {
    storage.withLock { entries in
      let object = entries.object(identity)
      if let object { prefetch(object) }
      return object
    }
  }

  /// The living objects under so many identities; nil where there is none.
  @inlinable
  public func objects(_ count: Int, _ identity: (Int) -> RowIdentity) -> ContiguousArray<Object?> {
    // An array without room is the one that all threads share, and its count would be written.
    if count == 0 { return [] }
    return ContiguousArray(unsafeUninitializedCapacity: count) { found, filled in
      storage.withLock { storage in
        for index in 0..<count {
          let object = storage.values.count == 0 ? nil : storage.object(identity(index))
          found.initializeElement(at: index, to: object)
        }
      }
      filled = count
    }
  }

  /// Lists `object`, in place of another one where there is one.
  @inlinable
  public func set(_ identity: RowIdentity, _ object: Object) {
    storage.withLock { $0.set(identity, object) }
  }

  /// Many changes under one lock; `body` must call nothing that could release an `Object`.
  @inlinable
  public func edit<Result>(_ body: (inout Entries) throws -> Result) rethrows -> Result { try storage.withLock(body) }

  /// Lists `object` unless `keepsOld` prefers the living object that is there; the one that is listed then.
  ///
  /// - Parameter keepsOld: called under the lock; must call nothing that could release an `Object`.
  @inlinable
  public func set(_ identity: RowIdentity, _ object: Object, unless keepsOld: (Object) -> Bool) -> Object {
    let old: Object? = storage.withLock { storage in
      let old = storage.object(identity)
      if let old, keepsOld(old) { return old }
      storage.set(identity, object)
      // Returned even when replaced, so that its release happens outside the lock.
      return old
    }
    if let old, keepsOld(old) { return old }
    return object
  }

  /// Takes `object` out if it is still the one listed under that identity.
  @inlinable
  public func remove(_ identity: RowIdentity, ifItIs object: Object) {
    storage.withLock { $0.remove(identity, ifItIs: object) }
  }

  /// Takes out whatever is listed under that identity.
  @inlinable
  public func remove(_ identity: RowIdentity) {
    storage.withLock { $0.remove(identity) }
  }

  /// Takes out everything.
  @inlinable
  public func removeAll() {
    storage.withLock { storage in
      storage.values.deallocate()
      storage = Entries()
    }
  }

  /// Every living object, in the order of ``Entries/living``.
  @inlinable
  public var objects: [Object] { storage.withLock { $0.living } }

  /// Takes out every object; those that live, in the order of ``Entries/living``.
  @inlinable
  public func takeAll() -> [Object] {
    storage.withLock { storage in
      let living = storage.living
      storage.values.deallocate()
      storage = Entries()
      return living
    }
  }
}
