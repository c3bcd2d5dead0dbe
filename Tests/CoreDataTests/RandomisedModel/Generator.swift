import CoreData
import Scheduling

/// Draws steps that make sense in the state a model is in.
struct Generator {
  private var random: SeededRandom
  /// Draws the steps that only worlds in a file have: the other steps of a seed stay as they were.
  private var generations: SeededRandom
  private var nextName = 1
  /// More objects than this are not made where enough are alive: small graphs collide more.
  private static let objectsMax = 12
  private static let rowsMax = 24

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    generations = SeededRandom(seed: seed ^ 0xD1B5_4A32_D192_ED03)
  }

  private mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func draw<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[draw(elements.count)]
  }

  mutating func next(_ model: ReferenceModel) -> Operation {
    if model.isInFile, Int.random(in: 0..<8, using: &generations) == 0 {
      // One step of four leads to a newer generation.
      let steps: [GenerationStep] =
        Int.random(in: 0..<4, using: &generations) == 0 ? [.current, .reset, .merge] : [.hold, .fire, .look]
      return .generation(steps[Int.random(in: steps.indices, using: &generations)])
    }
    for _ in 0..<20 {
      if let operation = candidate(model), model.allows(operation) { return operation }
    }
    return .process(draw(model.contexts.count))
  }

  private mutating func value() -> Int? { draw(5) == 0 ? nil : draw(4) }

  private mutating func candidate(_ model: ReferenceModel) -> Operation? {
    let context = draw(model.contexts.count)
    if model.contexts[context].isElsewhere { return errand(model, context).map { .elsewhere($0) } }
    if model.contexts[context].undoes, draw(8) == 0 { return draw(3) == 0 ? .redo(context) : .undo(context) }
    if model.isOrdered, draw(3) == 0 { return orderStep(model, context) }
    let dice = draw(100)
    switch dice {
    case 0..<12:
      guard model.contexts[context].things.count < Self.objectsMax, model.store.count < Self.rowsMax else { return nil }
      nextName += 1
      return .insert(context, entity: draw(AtlasSchema.entities.count), name: nextName - 1)
    case 12..<54:
      guard let name = draw(model.contexts[context].things.keys.sorted()), let entity = model.entityOf[name] else {
        return nil
      }
      let property = draw(AtlasSchema.entities[entity].settable) ?? 0
      return dice < 50 ? change(model, context, name, property) : .read(context, name: name, property: property)
    case 54..<59: return draw(model.contexts[context].things.keys.sorted()).map { .delete(context, name: $0) }
    case 59..<61: return .process(context)
    case 61..<63:
      return .policy(context, draw(Self.policies) ?? .errorMergePolicyType)
    case 63..<76: return .save(context)
    case 76..<84:
      let save = draw(2) == 0 ? 0 : draw(4)
      return draw(model.caches.count > 1 ? 2 : 8) == 0
        ? .remote(context, saveFromEnd: save) : .merge(context, saveFromEnd: save)
    case 84..<88:
      return draw(model.contexts[context].things.keys.sorted()).map {
        .refresh(context, name: $0, merging: draw(2) == 0)
      }
    case 88..<90: return draw(4) == 0 ? .reset(context) : .rollback(context)
    case 90..<93:
      let entity = draw(AtlasSchema.entities.count)
      let choices = AtlasSchema.entities[entity].attributes + AtlasSchema.entities[entity].toOnes
      guard draw(2) == 0, let property = draw(choices) else { return .fetchAll(context, entity: entity) }
      guard AtlasSchema.entities[entity].properties[property].kind == .toOne else {
        return .fetch(context, entity: entity, property: property, value: value())
      }
      return .fetch(context, entity: entity, property: property, value: nil)
    case 93..<95: return draw(model.living.sorted()).map { .object(context, name: $0) }
    case 95..<97: return draw(model.living.sorted()).map { .existing(context, name: $0) }
    case 97..<98: return draw(model.contexts[context].things.keys.sorted()).map { .obtain(context, name: $0) }
    default: return .letGo(context)
    }
  }

  /// Fills an ordered relationship, or moves its members: lists of several members are rare otherwise.
  private mutating func orderStep(_ model: ReferenceModel, _ context: Int) -> Operation? {
    let owners = model.contexts[context].things.filter { AtlasSchema.orderable[$1.entity] != nil }.keys.sorted()
    guard let name = draw(owners), let entity = model.entityOf[name], let index = AtlasSchema.orderable[entity] else {
      return nil
    }
    let list = model.contexts[context].things[name]?.many[index]?.order.list ?? []
    if list.count > 1, draw(3) > 0, let member = draw(list), let other = draw(list) {
      return .move(context, name: name, property: index, member: member, to: other)
    }
    if list.count < 2, draw(3) == 0, model.contexts[context].things.count < Self.objectsMax {
      nextName += 1
      return .insert(context, entity: ReferenceModel.property(entity, index).destination, name: nextName - 1)
    }
    return draw(6) == 0 ? .read(context, name: name, property: index) : change(model, context, name, index)
  }

  /// An operation of another process.
  private mutating func errand(_ model: ReferenceModel, _ context: Int) -> Operation? {
    let dice = draw(10)
    if dice == 0 {
      guard model.store.count < Self.rowsMax else { return nil }
      nextName += 1
      return .insert(context, entity: draw(AtlasSchema.entities.count), name: nextName - 1)
    }
    guard let name = draw(model.store.keys.sorted()), let entity = model.entityOf[name] else { return nil }
    if dice == 1 { return .delete(context, name: name) }
    return change(model, context, name, draw(AtlasSchema.entities[entity].settable) ?? 0)
  }

  private static let policies: [NSMergePolicyType] = [
    .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
    .overwriteMergePolicyType, .rollbackMergePolicyType,
  ]

  private mutating func change(_ model: ReferenceModel, _ context: Int, _ name: Int, _ index: Int) -> Operation? {
    let property = ReferenceModel.property(model.entityOf[name] ?? 0, index)
    guard property.isRelationship else { return .set(context, name: name, property: index, value: value()) }
    let known =
      model.contexts[context].isElsewhere ? Array(model.store.keys) : Array(model.contexts[context].things.keys)
    let others = known.sorted().filter {
      model.entityOf[$0] == property.destination
        && (model.contexts[context].isElsewhere || model.usable(context, $0))
    }
    let other = draw(others)
    if property.kind == .toOne { return .relate(context, name: name, property: index, to: draw(4) == 0 ? nil : other) }
    return other.map {
      draw(3) == 0
        ? .remove(context, name: name, property: index, member: $0)
        : .add(context, name: name, property: index, member: $0)
    }
  }
}
