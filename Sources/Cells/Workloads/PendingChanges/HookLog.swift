import CoreData

/// The hook calls of one context's objects, in order, while the context has the log.
///
/// On the context's queue: a hook that is called elsewhere touches its object there, which the check `confinement` reports.
package final class HookLog: @unchecked Sendable {
  // Sendable: only touched on the context's queue.

  /// Calls of an object's life.
  package enum Hook: String {
    case awakeFromInsert, awakeFromFetch, awakeFromSnapshotEvents, willTurnIntoFault, didTurnIntoFault
    case prepareForDeletion, willSave, validateForInsert, validateForUpdate, validateForDelete, didSave
  }

  private struct Call {
    /// None for a notification.
    let object: HookedObject?
    let hook: String
    let details: String?
  }

  private static let key = "hooks"
  private var calls: [Call] = []
  /// A hook's action besides being noted.
  private let reactions: [Hook: (HookedObject) -> Void]
  /// Why an object may not be saved; nil where it may.
  private let refusal: (HookedObject) -> (any Error)?
  /// A call that a careless client does not note.
  private let forgotten: Hook?

  package init(
    _ reactions: [Hook: (HookedObject) -> Void] = [:], forgetting forgotten: Hook? = nil,
    refusing refusal: @escaping (HookedObject) -> (any Error)? = { _ in nil }
  ) {
    self.reactions = reactions
    self.forgotten = forgotten
    self.refusal = refusal
  }

  package static func of(_ context: NSManagedObjectContext?) -> HookLog? { context?.userInfo[key] as? HookLog }

  /// Notes the calls of the context's objects while something is done; in a block of the context.
  package func record<Result>(_ context: NSManagedObjectContext, _ body: () throws -> Result) rethrows -> Result {
    precondition(Self.of(context) == nil, "a context has one log at a time")
    context.userInfo[Self.key] = self
    defer { context.userInfo.removeObject(forKey: Self.key) }
    return try body()
  }

  package func note(_ hook: Hook, of object: HookedObject, _ details: String?) {
    if hook != forgotten { calls.append(Call(object: object, hook: hook.rawValue, details: details)) }
    reactions[hook]?(object)
  }

  /// Notes something else that comes between the calls.
  package func note(_ event: String) { calls.append(Call(object: nil, hook: event, details: nil)) }

  package func refuse(_ object: HookedObject) throws { if let error = refusal(object) { throw error } }

  /// Forgets the noted calls.
  package func clear() { calls = [] }

  /// The hook calls of an object.
  package func calls(of object: HookedObject) -> [String] {
    calls.filter { $0.object === object }.map { call in call.hook + (call.details.map { " \($0)" } ?? "") }
  }

  /// The same, with calls that follow each other as one: `willSave` comes again as long as anything changes.
  package func steps(of object: HookedObject) -> [String] { Self.merged(calls(of: object)) }

  /// The hook calls of all objects, and other events, without the objects: calls that follow each other are one.
  package var phases: [String] {
    Self.merged(calls.map { $0.hook.hasPrefix("validate") ? "validation" : $0.hook })
  }

  private static func merged(_ texts: [String]) -> [String] {
    texts.indices.filter { $0 == 0 || texts[$0] != texts[$0 - 1] }.map { texts[$0] }
  }
}
