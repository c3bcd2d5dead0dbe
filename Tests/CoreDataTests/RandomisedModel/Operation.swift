import CoreData

/// One step of the randomised test; objects and contexts are named by numbers, so that a script can be repeated and
/// shortened: a step without its object is left out.
enum Operation: Hashable, Sendable {
  case insert(Int, entity: Int, name: Int)
  case set(Int, name: Int, property: Int, value: Int?)
  case relate(Int, name: Int, property: Int, to: Int?)
  case add(Int, name: Int, property: Int, member: Int)
  case remove(Int, name: Int, property: Int, member: Int)
  /// Moves a member of an ordered relationship to the place of another.
  case move(Int, name: Int, property: Int, member: Int, to: Int)
  case read(Int, name: Int, property: Int)
  case delete(Int, name: Int)
  case process(Int)
  case policy(Int, NSMergePolicyType)
  case save(Int)
  /// Merges the n-th save that was notified of, counted from the newest: 0 is the last one.
  case merge(Int, saveFromEnd: Int)
  /// The same by the IDs that it changed, into the context and its ancestors.
  case remote(Int, saveFromEnd: Int)
  case refresh(Int, name: Int, merging: Bool)
  case rollback(Int)
  case reset(Int)
  case fetch(Int, entity: Int, property: Int, value: Int?)
  case fetchAll(Int, entity: Int)
  case object(Int, name: Int)
  case existing(Int, name: Int)
  case obtain(Int, name: Int)
  case undo(Int)
  case redo(Int)
  /// The context's objects are released by their holder.
  case letGo(Int)

  /// The context with a query generation does something, beside those that the model has.
  case generation(GenerationStep)

  /// Another process makes the change, and saves it.
  indirect case elsewhere(Operation)

  /// The objects that a change is about.
  var names: [Int] {
    switch self {
    case .set(_, let name, _, _), .delete(_, let name): [name]
    case .relate(_, let name, _, let other): [name] + (other.map { [$0] } ?? [])
    case .add(_, let name, _, let member), .remove(_, let name, _, let member): [name, member]
    default: []
    }
  }

  /// Every object that the step is about.
  var mentioned: [Int] {
    switch self {
    case .insert(_, _, let name), .read(_, let name, _), .refresh(_, let name, _), .object(_, let name),
      .existing(_, let name), .obtain(_, let name):
      [name]
    case .move(_, let name, _, let member, let other): [name, member, other]
    case .elsewhere(let errand): errand.mentioned
    default: names
    }
  }

  /// The context that the step is for.
  var context: Int {
    switch self {
    case .insert(let context, _, _), .set(let context, _, _, _), .relate(let context, _, _, _),
      .add(let context, _, _, _), .remove(let context, _, _, _), .read(let context, _, _), .delete(let context, _),
      .process(let context), .policy(let context, _), .save(let context), .merge(let context, _),
      .remote(let context, _), .refresh(let context, _, _), .rollback(let context), .reset(let context),
      .fetch(let context, _, _, _),
      .fetchAll(let context, _), .object(let context, _), .existing(let context, _), .obtain(let context, _),
      .letGo(let context), .move(let context, _, _, _, _), .undo(let context), .redo(let context):
      context
    case .generation: 0
    case .elsewhere(let errand): errand.context
    }
  }
}

/// A step of the context that has a query generation.
enum GenerationStep: String, CaseIterable, Sendable {
  /// It takes the generation of its next read.
  case current, reset
  /// It merges the last save of its coordinator, which has it take a newer generation as well.
  case merge
  /// It fetches every row as a fault, and holds it.
  case hold
  /// Its faults fire.
  case fire
  /// It fetches every row with its values.
  case look
}

extension Operation: CustomStringConvertible {
  /// A line of a script, with the properties by number.
  var description: String {
    switch self {
    case .insert(let context, let entity, let name):
      "c\(context): insert \(AtlasSchema.entities[entity].name) #\(name)"
    case .set(let context, let name, let property, let value):
      "c\(context): #\(name)[\(property)] = \(value.map(String.init) ?? "nil")"
    case .relate(let context, let name, let property, let target):
      "c\(context): #\(name)[\(property)] = \(target.map { "#\($0)" } ?? "nil")"
    case .add(let context, let name, let property, let member): "c\(context): #\(name)[\(property)] add #\(member)"
    case .remove(let context, let name, let property, let member):
      "c\(context): #\(name)[\(property)] remove #\(member)"
    case .read(let context, let name, let property): "c\(context): read #\(name)[\(property)]"
    case .delete(let context, let name): "c\(context): delete #\(name)"
    case .process(let context): "c\(context): processPendingChanges"
    case .policy(let context, let policy): "c\(context): merge policy \(policy)"
    case .save(let context): "c\(context): save"
    case .merge(let context, let save): "c\(context): merge save \(save) from the end"
    case .remote(let context, let save): "c\(context): merge save \(save) from the end by its IDs"
    case .refresh(let context, let name, let merging): "c\(context): refresh #\(name) mergeChanges \(merging)"
    case .rollback(let context): "c\(context): rollback"
    case .reset(let context): "c\(context): reset"
    case .fetch(let context, let entity, let property, let value):
      "c\(context): fetch \(AtlasSchema.entities[entity].name) where "
        + "\(AtlasSchema.entities[entity].properties[property].name) == \(value.map(String.init) ?? "nil")"
    case .fetchAll(let context, let entity): "c\(context): fetch \(AtlasSchema.entities[entity].name)"
    case .object(let context, let name): "c\(context): object(with: #\(name))"
    case .existing(let context, let name): "c\(context): existingObject(with: #\(name))"
    case .obtain(let context, let name): "c\(context): obtainPermanentIDs(for: #\(name))"
    case .move(let context, let name, let property, let member, let other):
      "c\(context): #\(name)[\(property)] move #\(member) to the place of #\(other)"
    case .undo(let context): "c\(context): undo"
    case .redo(let context): "c\(context): redo"
    case .letGo(let context): "c\(context): let go"
    case .generation(let step): "c0: generation \(step)"
    case .elsewhere(let errand): "\(errand), and save"
    }
  }
}
