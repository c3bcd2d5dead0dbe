import SQLite
import Scheduling
import RowStore

/// A fault that cannot be filled: its row is gone, or the store cannot be read.
struct FaultWithoutRow {
  private let object: NSManagedObject
  /// The property that was read.
  private let property: PropertyLayout?
  private let context: NSManagedObjectContext

  init(_ object: NSManagedObject, _ property: PropertyLayout?, in context: NSManagedObjectContext) {
    (self.object, self.property, self.context) = (object, property, context)
  }

  /// Its row was deleted by another context.
  func fill() -> Row {
    ask(because: "its row was deleted by another context")
    GoneObjects(in: context).lose(object)
    return empty()
  }

  /// The same where a delete rule found it out: the context has no say in that.
  func fillUnasked() {
    GoneObjects(in: context).lose(object)
    _ = empty()
  }

  /// Empty values for a fault, as the store could not be read; they stay until it is refreshed.
  ///
  /// The object is not marked deleted, since it is unknown whether its row is gone; `save()` fails from now on.
  func fill(unreadable error: any Error) -> Row {
    context.reading.unreadable.record(error, in: context)
    ask(because: "the store could not be read: \(error)")
    return empty()
  }

  private func ask(because reason: String) {
    let isHandled = context.shouldHandleInaccessibleFault(
      object, for: object.objectID, triggeredByProperty: property.flatMap { object.entity.propertiesByName[$0.name] })
    FaultHooks.tell(object, context: context, property: property)
    guard isHandled else {
      preconditionFailure("Core Data could not fulfill a fault for '\(object.objectID)': \(reason)")
    }
  }

  /// Fills the fault with nothing.
  private func empty() -> Row {
    let nothing = object.nothing
    object.values = nothing
    object.snapshot = nothing
    return nothing
  }
}

/// The first error of a context's reads that had no way to throw it; until ``NSManagedObjectContext/reset()``.
struct UnreadableStore {
  private(set) var error: (any Error)?

  /// Notes the error of a failed read: its values are missing, so that nothing may be saved.
  ///
  /// - Precondition: the store could not be read; an object of a removed store is a mistake of the program.
  mutating func record(_ error: any Error, in context: NSManagedObjectContext) {
    guard (error as NSError).userInfo[NSUnderlyingErrorKey] is SQLiteError else {
      preconditionFailure("a fault of \(context.label) could not be filled: \(error)")
    }
    if self.error == nil { self.error = error }
  }

  /// Why nothing can be saved; nil while everything that was asked for could be read.
  func refusalToSave(_ context: NSManagedObjectContext) -> NSError? {
    error.map { error in
      NSError.coreData(
        NSPersistentStoreSaveError,
        "The store could not be read while \(context.label) filled faults, which are empty since; reset() the context and start "
          + "again: \((error as NSError).localizedDescription)", underlying: error)
    }
  }
}

/// Reports of faults that fired for a row that is gone; for the harness.
package enum FaultHooks {
  /// One such fault.
  package struct InaccessibleFault: Sendable {
    package let entity: String
    package let id: String
    package let context: String
    /// The property that was read; nil when the whole object was.
    package let property: String?
  }

  private static let handler = Locked<(@Sendable (InaccessibleFault) -> Void)?>(nil)

  /// Sets the handler that is called before the object is marked deleted.
  package static func onInaccessibleFault(_ new: (@Sendable (InaccessibleFault) -> Void)?) {
    handler.withLock { $0 = new }
  }

  static func tell(_ object: NSManagedObject, context: NSManagedObjectContext, property: PropertyLayout?) {
    guard let handler = handler.current else { return }
    handler(
      InaccessibleFault(
        entity: object.layout.name, id: "\(object.objectID)", context: context.label, property: property?.name))
  }
}
