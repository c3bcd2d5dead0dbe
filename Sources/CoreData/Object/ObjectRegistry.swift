import CRuntime
import Scheduling
import RowStore

/// The identity map of one context: its living objects by identity, and the context while it lives.
///
/// Objects hold it, so that an object released on any thread can take itself out.
final class ObjectRegistry: @unchecked Sendable {
  // Sendable: `pointer` is written under `lock` and, off the context's queue, read under it.

  let objects = WeakTable<NSManagedObject>()
  /// For a child's objects, the number of saves of the parent that the next rows have seen; on the context's queue.
  @exclusivity(unchecked)
  var seenSaves: UInt32 = 0
  /// How many saves of others the context has merged; on the context's queue.
  @exclusivity(unchecked)
  var mergedSaves: UInt32 = 0
  /// For `pointer`, and for making an object's ID; true as long as the context is there.
  ///
  /// Not a lock of nothing: ThreadSanitizer takes an access to a `Void` for one to the memory beside it.
  let lock = Locked(true)
  @exclusivity(unchecked)
  private var pointer: UnsafeMutableRawPointer?
  /// Address of the context's queue.
  let home: UnsafeRawPointer
  /// Keeps layouts alive as long as any object.
  let model: NSManagedObjectModel

  /// The model's layout; frozen when a context gets its model.
  let layout: ModelLayout?
  /// `EntityLayout.modelIdentifier` of its entities.
  let modelIdentifier: UInt32

  /// Identities of stores for the IDs of stored objects, also of objects that outlive their context.
  let identities: StoreIdentities

  init(context: NSManagedObjectContext, model: NSManagedObjectModel, identities: StoreIdentities) {
    self.identities = identities
    layout = model.layout
    modelIdentifier = layout?.entities.first?.modelIdentifier ?? 0
    home = context.queue.address
    pointer = Unmanaged.passUnretained(context).toOpaque()
    self.model = model
  }

  /// The context, for code on its queue; nil when it is gone.
  @inline(__always)
  var contextOnQueue: NSManagedObjectContext? {
    guard let pointer else { return nil }
    return Unmanaged<NSManagedObjectContext>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The same without a reference to count, for a caller that keeps the context alive.
  @inline(__always)
  var contextReference: Unmanaged<NSManagedObjectContext>? { pointer.map { .fromOpaque($0) } }

  /// The context, for any thread; nil when it is gone or going.
  var context: NSManagedObjectContext? {
    lock.withLock { isThere in
      guard isThere, let pointer, let living = swift_tryRetain(pointer) else { return nil }
      return Unmanaged<NSManagedObjectContext>.fromOpaque(living).takeRetainedValue()
    }
  }

  /// The class asked last by ``entity(of:)``, and its entity; on the context's queue.
  @exclusivity(unchecked)
  private var lastClass: (type: NSManagedObject.Type, entity: NSEntityDescription)?

  /// The one entity with objects of `type`; nil where it is not one. On the context's queue.
  func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    if let lastClass, lastClass.type == type { return lastClass.entity }
    guard let candidates = layout?.entities(of: type), candidates.count == 1, let entity = candidates.first?.entity
    else { return nil }
    lastClass = (type, entity)
    return entity
  }

  /// Forgets the context, which is going.
  func forgetContext() {
    lock.withLock { isThere in
      isThere = false
      pointer = nil
    }
  }
}
