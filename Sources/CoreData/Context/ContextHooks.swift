import Scheduling
import Synchronization
import RowStore

/// Tells the harness where IDs and objects of one context come into another, and when a context is changed or saved.
///
/// By default there is no observer, and each of these places costs a load and a branch, or nothing.
package enum ContextHooks {
  /// A context was asked for the object of a temporary ID that neither it nor an ancestor of it knows.
  package struct UnknownID: Sendable {
    package let id: String
    package let entity: String
    /// The context that was asked.
    package let context: String
    /// The method that was called.
    package let member: String
  }

  /// A relationship is about to be refused because it joins objects of two contexts.
  package struct CrossContextRelationship: Sendable {
    package let entity: String
    package let property: String
    /// The context of the object that is changed.
    package let source: String
    /// The context of the object that was to be joined; nil where it has none.
    package let destination: String?
  }

  /// A step of a context with its own changes; merged changes do not count.
  package enum Write: String, Sendable {
    /// Its objects were inserted, changed or deleted; reported when the changes are processed.
    case change
    /// It saves its changes.
    case save
  }

  private struct WriteEvent: Sendable {
    let context: ObjectIdentifier
    let write: Write
  }

  private static let unknownIDs = Hook<UnknownID>()
  private static let crossings = Hook<CrossContextRelationship>()
  private static let writes = Hook<WriteEvent>()
  private static let births = Hook<NSManagedObjectContext>()

  /// Sets the observer of new contexts, in the thread that makes them; nil for none.
  package static func onNewContext(_ handler: (@Sendable (NSManagedObjectContext) -> Void)?) { births.set(handler) }

  /// Sets the observer of unknown temporary IDs, on the context's queue; nil for none.
  package static func onUnknownID(_ handler: (@Sendable (UnknownID) -> Void)?) { unknownIDs.set(handler) }

  /// Sets the observer of relationships between contexts, before the process is stopped; nil for none.
  package static func onCrossContextRelationship(_ handler: (@Sendable (CrossContextRelationship) -> Void)?) {
    crossings.set(handler)
  }

  /// Sets the observer of changes and saves, on the context's queue; nil for none.
  package static func onWrite(_ handler: (@Sendable (_ context: ObjectIdentifier, _ write: Write) -> Void)?) {
    guard let handler else { return writes.set(nil) }
    writes.set { handler($0.context, $0.write) }
  }

  @inline(__always)
  static func tell(_ write: Write, of context: NSManagedObjectContext) {
    if writes.isSet { writes.tell(WriteEvent(context: ObjectIdentifier(context), write: write)) }
  }

  @inline(__always)
  static func tellUnknown(_ id: NSManagedObjectID, asked context: NSManagedObjectContext, _ member: StaticString) {
    guard unknownIDs.isSet, !id.isKnown(inFamilyOf: context) else { return }
    unknownIDs.tell(UnknownID(id: "\(id)", entity: id.layout.name, context: context.label, member: "\(member)"))
  }

  @inline(__always)
  static func tellNew(_ context: NSManagedObjectContext) { if births.isSet { births.tell(context) } }

  static func tellCrossing(_ property: PropertyLayout, of source: NSManagedObject, to destination: NSManagedObject) {
    crossings.tell(
      CrossContextRelationship(
        entity: source.layout.name, property: property.name, source: source.registry?.context?.label ?? "no context",
        destination: destination.registry?.context?.label))
    ContextWatch.tellForeign(destination, in: source.registry?.context?.label, "\(source.layout.name).\(property.name)")
  }

  /// One handler, and whether there is one.
  private final class Hook<Event: Sendable>: Sendable {
    private let flag = Atomic<Bool>(false)
    private let handler = Locked<(@Sendable (Event) -> Void)?>(nil)

    @inline(__always)
    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set(_ new: (@Sendable (Event) -> Void)?) {
      handler.withLock { $0 = new }
      flag.store(new != nil, ordering: .relaxed)
    }

    func tell(_ event: Event) { handler.current?(event) }
  }
}

extension NSManagedObjectID {
  /// Whether the object of this temporary ID is inserted in one of the contexts above, or has another ID by now.
  fileprivate final func isKnown(inFamilyOf context: NSManagedObjectContext) -> Bool {
    if context.tree.aliases.permanent(for: key) != nil { return true }
    var ancestor = context.parentContext
    while let context = ancestor {
      // Identity maps lock themselves.
      if context.registered(key: key, layout: layout) != nil { return true }
      ancestor = context.parentContext
    }
    return false
  }
}
