import CoreData
import Foundation
import Scheduling

/// Judges one order by what the stack reports of its contexts: no test has to record or expect anything.
final class StackJudge: Sendable {
  private typealias Field = ContextWatch.Field
  private typealias Object = ContextWatch.Object
  private typealias Value = ContextWatch.Value

  /// The origin of a step, for messages.
  private struct Origin {
    let context: UInt64
    let label: String
    let stack: [UInt]
  }

  /// An attribute that a context has set and not saved.
  private struct Change {
    /// The value that the program could see when it set the attribute.
    var base: Value
    var own: Value
    /// The value that it read before, where it read one.
    var read: Value?
  }

  private struct Read {
    let value: Value
    /// Whether the context knows the newest row.
    var isRenewed = false
  }

  private struct Write {
    let value: Value
    let origin: Origin
  }

  /// A context, as far as it is known.
  private struct Known {
    var changes: [Field: Change] = [:]
    var reads: [Field: Read] = [:]
    /// Objects of others' saves that were merged.
    var merged: Set<Object> = []

    mutating func renew(_ objects: [Object]?) {
      let objects = objects.map(Set.init)
      for (field, read) in reads where !read.isRenewed && objects?.contains(field.object) ?? true {
        reads[field]?.isRenewed = true
      }
      if let objects { merged.formUnion(objects) }
    }
  }

  private struct State {
    var contexts: [UInt64: Known] = [:]
    /// The stores, as far as they were saved in this order.
    var latest: [Field: Write] = [:]
    var deleted: [Object: Origin] = [:]
    var references: [Field: Object] = [:]
    var found: [FoundFault] = []
    var signatures: Set<String> = []
  }

  private let state = Locked(State())
  private let keepsStacks: Bool

  init(keepsStacks: Bool) { self.keepsStacks = keepsStacks }

  var found: [FoundFault] { state.withLock { $0.found } }

  /// Adds a fault, once for each subject.
  func add(_ fault: FoundFault) { state.withLock { Self.add(fault, to: &$0) } }

  private static func add(_ fault: FoundFault, to state: inout State) {
    if state.signatures.insert(fault.signature).inserted { state.found.append(fault) }
  }

  private func stack() -> [UInt] {
    keepsStacks ? ThreadRecord.returnAddresses : []
  }

  /// Judges a step of a context of the calling task.
  func receive(_ event: ContextWatch.Event) {
    let stack = stack()
    state.withLock { state in
      switch event {
      case .read(let context, let field, let value, let isChanged):
        if !isChanged { state.contexts[context.number, default: Known()].reads[field] = Read(value: value) }
      case .set(let context, let field, let before, let after, let isFirst):
        var known = state.contexts[context.number, default: Known()]
        if isFirst {
          known.changes[field] = Change(base: before, own: after, read: known.reads[field]?.value)
        } else {
          known.changes[field]?.own = after
        }
        state.contexts[context.number] = known
      case .seen(let context, let object):
        for field in state.contexts[context.number]?.changes.keys.filter({ $0.object == object }) ?? [] {
          guard let write = state.latest[field] else { continue }
          state.contexts[context.number]?.changes[field]?.base = write.value
          state.contexts[context.number]?.changes[field]?.read = write.value
        }
      case .saved(let save):
        judge(save, Origin(context: save.context.number, label: save.context.label, stack: stack), &state)
      case .renewed(let context, let objects): state.contexts[context.number, default: Known()].renew(objects)
      case .dropped(let context, let member, let objects): drop(objects, context, by: member, stack, &state)
      case .batch(let objects, let isDeletion): batch(objects, isDeletion, stack, &state)
      case .foreign(let entity, let owner, let context, let member):
        Self.add(
          FoundFault(
            fault: .crossContextObject, subject: "\(entity) in \(member)",
            text: "an object of \(owner) was used in \(context), by \(member)",
            stacks: [("used", stack)]), to: &state)
      }
    }
  }

  private func drop(
    _ objects: [Object], _ context: ContextWatch.Context, by member: String, _ stack: [UInt], _ state: inout State
  ) {
    for field in state.contexts[context.number]?.changes.keys.filter({ objects.contains($0.object) }) ?? [] {
      state.contexts[context.number]?.changes[field] = nil
    }
    guard let first = objects.min() else { return }
    let more = objects.count > 1 ? " and \(objects.count - 1) more" : ""
    Self.add(
      FoundFault(
        fault: .unsavedChangesLost, subject: "\(first.entity) by \(member)",
        text: "\(context.label) dropped unsaved changes of \(first)\(more) by \(member)",
        stacks: [("dropped", stack)]), to: &state)
  }

  private func batch(_ objects: [Object], _ isDeletion: Bool, _ stack: [UInt], _ state: inout State) {
    let all = Set(objects)
    state.latest = state.latest.filter { !all.contains($0.key.object) }
    guard isDeletion else { return }
    for object in objects { state.deleted[object] = Origin(context: 0, label: "a batch request", stack: stack) }
    state.references = state.references.filter { !all.contains($0.key.object) }
  }

  /// Looks for faults that only the end of an order shows: between two requests of a batch a store may be in between.
  func finish() {
    state.withLock { state in
      for (field, target) in state.references.sorted(by: { $0.key < $1.key }) {
        if let deletion = state.deleted[target] { Self.addDangling(field, target, deletion, nil, &state) }
      }
    }
  }

  // MARK: Saves

  private func judge(_ save: ContextWatch.Save, _ origin: Origin, _ state: inout State) {
    precondition(save.context.number == origin.context, "a save is its own context's")
    let known = state.contexts[origin.context] ?? Known()
    for field in save.changes.keys.sorted() { judge(field, of: save, known, origin, &state) }
    if !(save.inserted.isEmpty && save.updated.isEmpty && save.deleted.isEmpty) {
      judgeReads(known, save, origin, &state)
    }
    state.contexts[origin.context]?.changes = [:]
    state.contexts[origin.context]?.reads = [:]
    if !save.isPush { commit(save, known, origin, &state) }
  }

  /// Judges one attribute that the context has changed.
  private func judge(
    _ field: Field, of save: ContextWatch.Save, _ known: Known, _ origin: Origin, _ state: inout State
  ) {
    guard let policy = save.policy, let beneath = save.changes[field] else { return }
    let last = save.isPush ? nil : state.latest[field]
    let change = known.changes[field]
    guard let base = change?.base ?? known.reads[field]?.value else { return }
    let other = last?.value ?? beneath
    if let change, let read = change.read, read != change.base {
      Self.add(
        FoundFault(
          fault: .staleWrite, subject: "\(field.object.entity).\(field.name)",
          text: "\(origin.label) read \(field) as \(read), and set it when it was \(change.base)",
          stacks: [("saved", origin.stack)]), to: &state)
    }
    guard other != base, last?.origin.context != origin.context, change?.own != base else { return }
    let own = change?.own
    // Both may say the same, unless it is a sum.
    if let own, own == other, change?.read == nil || !own.isNumber { return }
    // A later moment takes the place of an earlier one.
    if let own = own?.seconds, let other = other.seconds, own >= other, change?.read == nil { return }
    let end = save.isPush ? "which is lost in its parent" : "which is lost: \(policy)"
    Self.add(
      FoundFault(
        fault: .lostUpdate, subject: "\(field.object.entity).\(field.name)",
        text: "\(origin.label) saved \(own.map { "\($0) as " } ?? "")\(field), which it knew as \(base); "
          + "\(last?.origin.label ?? "another context") had saved \(other) since, \(end)",
        stacks: [("saved", origin.stack)] + (last.map { [("saved before", $0.origin.stack)] } ?? [])), to: &state)
  }

  /// Values that the context has read and not written.
  private func judgeReads(_ known: Known, _ save: ContextWatch.Save, _ origin: Origin, _ state: inout State) {
    guard !save.isPush else { return }
    for (field, read) in known.reads.sorted(by: { $0.key < $1.key })
    where field.isAttribute && !read.isRenewed && save.changes[field] == nil {
      let event: (text: String, origin: Origin)
      if let deletion = state.deleted[field.object], deletion.context != origin.context {
        event = ("deleted", deletion)
      } else if let write = state.latest[field], write.origin.context != origin.context, write.value != read.value {
        event = ("changed to \(write.value)", write.origin)
      } else {
        continue
      }
      Self.add(
        FoundFault(
          fault: .staleWrite, subject: "\(field.object.entity).\(field.name)",
          text: "\(origin.label) saved after it had read \(field) as \(read.value), which \(event.origin.label) had "
            + "\(event.text) by then",
          stacks: [("saved", origin.stack), ("saved before", event.origin.stack)]), to: &state)
    }
  }

  /// Notes the saved rows as those of the stores.
  private func commit(_ save: ContextWatch.Save, _ known: Known, _ origin: Origin, _ state: inout State) {
    precondition(!save.isPush, "only what reaches the file is held against what others wrote")
    for row in save.inserted {
      guard let deletion = state.deleted.removeValue(forKey: row.object), deletion.context != origin.context,
        !known.merged.contains(row.object)
      else { continue }
      Self.add(
        FoundFault(
          fault: .resurrectedRecord, subject: row.object.entity,
          text: "\(origin.label) inserted \(row.object) again, which \(deletion.label) had deleted",
          stacks: [("inserted", origin.stack), ("deleted", deletion.stack)]), to: &state)
    }
    // A new object that takes the place of an equal one is meant to write over it.
    let changed = Set(save.changes.keys.map(\.object))
    for row in save.inserted + save.updated {
      for (field, value) in row.values {
        if let last = state.latest[field] {
          guard last.value != value else { continue }
          if changed.contains(row.object), save.changes[field] == nil, last.origin.context != origin.context,
            save.policy != nil
          {
            Self.add(
              FoundFault(
                fault: .lostUpdate, subject: "\(field.object.entity).\(field.name)",
                text: "\(origin.label) saved \(value) as \(field), which it had not changed; \(last.origin.label) had "
                  + "saved \(last.value), which is lost: \(save.policy ?? "")",
                stacks: [("saved", origin.stack), ("saved before", last.origin.stack)]), to: &state)
          }
        }
        state.latest[field] = Write(value: value, origin: origin)
        state.references[field] = nil
      }
      for (field, target) in row.references { state.references[field] = target }
    }
    for object in save.deleted { state.deleted[object] = origin }
    let deleted = Set(save.deleted)
    state.references = state.references.filter { !deleted.contains($0.key.object) }
    judgeReferences(save, deleted, origin, &state)
  }

  private func judgeReferences(
    _ save: ContextWatch.Save, _ deleted: Set<Object>, _ origin: Origin, _ state: inout State
  ) {
    for row in save.inserted + save.updated {
      for (field, target) in row.references {
        if let deletion = state.deleted[target] { Self.addDangling(field, target, deletion, origin, &state) }
      }
    }
    guard !deleted.isEmpty else { return }
    for (field, target) in state.references.sorted(by: { $0.key < $1.key }) where deleted.contains(target) {
      Self.addDangling(field, target, origin, nil, &state)
    }
  }

  private static func addDangling(
    _ field: Field, _ target: Object, _ deletion: Origin, _ saved: Origin?, _ state: inout State
  ) {
    add(
      FoundFault(
        fault: .danglingReference, subject: "\(field.object.entity).\(field.name)",
        text: "\(field) leads to \(target), which \(deletion.label) deleted",
        stacks: (saved.map { [("saved", $0.stack)] } ?? []) + [("deleted", deletion.stack)]), to: &state)
  }
}
