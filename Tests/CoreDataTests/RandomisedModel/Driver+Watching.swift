@testable import CoreData
@testable import RowStore

extension Driver {
  /// The state of one object in the stack and the model, in each context that knows it; to find the step that
  /// went wrong.
  func view(of name: Int, _ model: ReferenceModel) -> String {
    var lines = ["store: \(model.store[name].map { "\($0.version) \(Self.text($0.values))" } ?? "no row")"]
    for (number, stack) in stacks.enumerated() where model.caches.count > 1 {
      let row = identities[name].flatMap { stack.container.persistentStoreCoordinator.cachedRow($0) }
      let known = model.caches[number].rows[name]
      if row == nil, known == nil { continue }
      let listed = Self.text(row.map { Int($0.version) })
      lines.append("coordinator \(number) lists \(listed), the model has \(Self.text(known?.version))")
    }
    for (number, context) in contexts.enumerated() {
      if let thing = model.contexts[number].things[name] { lines.append("c\(number) model: \(thing.view)") }
      guard let object = objects[number][name] else { continue }
      context.performAndWait { lines.append("c\(number) stack: \(view(of: object))") }
    }
    return lines.joined(separator: "\n  ")
  }

  private func view(of object: NSManagedObject) -> String {
    func names(_ objects: ContiguousArray<NSManagedObject>?) -> String {
      objects.map { $0.map { (try? name(of: $0)).map { "#\($0)" } ?? "?" }.joined(separator: " ") } ?? "unread"
    }
    var text = "\(object.state) base \(object.snapshot?.version ?? 0)"
    let changed = object.layout.properties.filter { object.changed.contains($0.index) }.map(\.index)
    text += object.values == nil ? " fault" : " changed \(changed)"
    for property in object.layout.relationships {
      if property.relation.isToMany {
        guard let known = object.knownToMany(property) else { continue }
        text += " [\(property.index)]: \(names(known.members?.objects)) +\(names(known.additions))"
        text += " -\(names(known.removed.objects))"
        guard let order = known.order else { continue }
        text += " stored \(names(order.stored)) wanted \(names(order.wanted))\(order.isArranged ? " arranged" : "")"
      } else if case .reference(let reference)? = object.values?[property.index] {
        let identity = RowIdentity(key: reference.key, layout: property.relation.destination)
        text += " [\(property.index)]: \(self.names[identity].map { "#\($0)" } ?? "?")"
      }
    }
    return text
  }

  private static func text(_ values: [Int?]) -> String {
    "[" + values.map { $0.map(String.init) ?? "nil" }.joined(separator: " ") + "]"
  }
}

extension ReferenceModel.Thing {
  fileprivate var view: String {
    func names(_ names: some Sequence<Int>) -> String { names.map { "#\($0)" }.joined(separator: " ") }
    let flags = [(isInserted, "inserted"), (isUpdated, "updated"), (isDeleted, "deleted"), (isGone, "gone")]
    var text = "[\(flags.filter(\.0).map(\.1).joined(separator: " "))] base \(base?.version ?? 0)"
    text += values == nil ? " fault" : " changed \(changed.sorted())"
    for (index, many) in many.sorted(by: { $0.key < $1.key }) {
      let order = many.order
      text += " [\(index)]: \(many.members.map { names(order.list ?? $0.sorted()) } ?? "unread")"
      text += " +\(names(many.added.sorted())) -\(names(many.removed.sorted()))"
      guard many.isOrdered else { continue }
      text +=
        " comers \(names(order.comers)) stored \(order.stored.map(names) ?? "unread") wanted \(order.wanted.map(names) ?? "unread")"
      text += (order.isArranged ? " arranged" : "") + (order.isUnsure ? " unsure" : "")
    }
    for index in AtlasSchema.entities[entity].toOnes {
      if let name = values?[index] { text += " [\(index)]: #\(name)" }
    }
    return text
  }
}
