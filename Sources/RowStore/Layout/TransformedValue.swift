import Foundation
import Scheduling

/// The value of a transformable attribute: as it was set, or as it lies in the file.
///
/// A value that lies in the file is decoded each time it is read, so that contexts share no object that can change.
package final class TransformedValue: Hashable, EncodedValue, @unchecked Sendable {
  // Sendable: the part that changes is behind the lock; a value that was set is handed out in the context that set it, and is
  // released when it is saved.

  private enum State {
    case value(Any)
    /// A value that was set, with its data for a save that may still fail: the program may change the value then.
    case encoded(Any, Data)
    case data(Data, any ValueCoder)
  }

  // Sendable: as the class.
  private struct Shared: @unchecked Sendable {
    package var state: State
  }

  private let shared: Locked<Shared>

  package init(_ value: Any) { shared = Locked(Shared(state: .value(value))) }

  package init(_ data: Data, _ transformer: any ValueCoder) {
    shared = Locked(Shared(state: .data(data, transformer)))
  }

  /// The value; nil, said once for an attribute on standard error, for data that cannot be decoded, which stay as they are in the file.
  package var value: Any? {
    switch shared.withLock({ $0.state }) {
    case .value(let value), .encoded(let value, _): return value
    case .data(let data, let transformer):
      do {
        return try transformer.decode(data)
      } catch {
        transformer.warnOnce("\(error)")
        return nil
      }
    }
  }

  package var attributeValue: Any? { value }

  /// - Precondition: the value was encoded, as a save does before it writes.
  package func fileSlot(leaf: Int) -> Slot { data.map { .data($0) } ?? .null }

  /// The bytes in the file; nil for a value that was not encoded yet.
  package var data: Data? {
    switch shared.withLock({ $0.state }) {
    case .value: nil
    case .encoded(_, let data), .data(let data, _): data
    }
  }

  /// The bytes that the value is made of; nil while it is one that was set, and may have changed since it was encoded.
  private var source: Data? {
    if case .data(let data, _) = shared.withLock({ $0.state }) { data } else { nil }
  }

  /// Makes data of a value that was set.
  ///
  /// - Throws: the transformer's error.
  package func encode(_ transformer: any ValueCoder) throws {
    switch shared.withLock({ $0.state }) {
    case .data: return
    case .value(let value), .encoded(let value, _):
      let data = try transformer.encode(value)
      shared.withLock { $0.state = .encoded(value, data) }
    }
  }

  /// Releases a value that was set: it is saved, and the data are the value from now on.
  func settle(_ transformer: any ValueCoder) {
    guard case .encoded(_, let data) = shared.withLock({ $0.state }) else { return }
    shared.withLock { $0.state = .data(data, transformer) }
  }

  /// Equal data, or values that say they are equal.
  package static func == (left: TransformedValue, right: TransformedValue) -> Bool {
    if left === right { return true }
    if let one = left.source, let other = right.source, one == other { return true }
    guard let one = left.value, let other = right.value, haveSameTexts(one, other) else { return false }
    if let one = one as? any Hashable, let other = other as? any Hashable {
      return AnyHashable(one) == AnyHashable(other)
    }
    // Collections of `Any` are not Hashable, and archives of equal values may differ in the order of their parts.
    return KeyedArchive.areEqual(one, other)
  }

  /// False where texts in the same place are equal by characters only: their code points differ.
  private static func haveSameTexts(_ one: Any, _ other: Any) -> Bool {
    switch (one, other) {
    case (let one as String, let other as String): one.utf8.elementsEqual(other.utf8)
    case (let one as [Any], let other as [Any]): zip(one, other).allSatisfy { haveSameTexts($0, $1) }
    case (let one as [AnyHashable: Any], let other as [AnyHashable: Any]):
      one.allSatisfy { key, value in other[key].map { haveSameTexts(value, $0) } ?? true }
    default: true
    }
  }

  package func hash(into hasher: inout Hasher) {
    // Equal values may lie in different forms, which give no common number.
  }
}
