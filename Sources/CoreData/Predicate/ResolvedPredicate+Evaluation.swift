import RowStore

extension ResolvedPredicate {
  /// Whether the object meets the predicate; on its context's queue, firing faults on the way.
  ///
  /// - Throws: when `MATCHES` meets a value that is no regular expression.
  func matches(_ object: NSManagedObject) throws(PredicateFailure) -> Bool { try matches(EvaluatedObjects(object)) }

  func matches(_ objects: borrowing EvaluatedObjects) throws(PredicateFailure) -> Bool {
    switch self {
    case .constant(let value): return value
    case .and(let parts):
      for part in parts where try !part.matches(objects) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.matches(objects) { return true }
      return false
    case .not(let part): return try !part.matches(objects)
    case .comparison(let left, let comparison, let right):
      return try comparison.holds(try left.value(objects), try right.value(objects))
    case .membership(let value, let set, let folding):
      return set.contains(folding.fold(try value.value(objects)), objects.aliases)
    case .between(let value, let low, let high, let folding):
      let value = folding.fold(try value.value(objects))
      guard let fromLow = value.order(folding.fold(try low.value(objects))), fromLow >= 0,
        let fromHigh = value.order(folding.fold(try high.value(objects)))
      else { return false }
      return fromHigh <= 0
    case .exists(let collection, let predicate):
      for element in try collection.elements(objects)
      where try predicate.matches(objects.adding(element, collection.element)) {
        return true
      }
      return false
    case .opaque(let predicate): return predicate.evaluate(with: objects.root)
    }
  }
}

/// The objects of the scopes of an expression, as it is evaluated.
struct EvaluatedObjects {
  let root: NSManagedObject
  /// By scope; those of outer collections.
  private var elements: [(scope: Int, object: NSManagedObject)] = []

  init(_ root: NSManagedObject) { self.root = root }

  func adding(_ object: NSManagedObject, _ scope: Int) -> EvaluatedObjects {
    var objects = self
    objects.elements.append((scope, object))
    return objects
  }

  /// - Precondition: the scope is 0, or that of a collection that is being gone through.
  func object(_ scope: Int) -> NSManagedObject {
    if scope == 0 { return root }
    guard let element = elements.last(where: { $0.scope == scope }) else {
      preconditionFailure("an expression about a collection's element is evaluated with one")
    }
    return element.object
  }

  var aliases: (any PermanentKeys)? { root.registry?.contextOnQueue?.tree.aliases }
}

extension ResolvedExpression {
  /// The value for these objects, as it is compared; objects under their permanent keys where they have two.
  ///
  /// - Precondition: there is no aggregate over the rows of a group in it.
  func value(_ objects: borrowing EvaluatedObjects) throws(PredicateFailure) -> Slot {
    switch self {
    case .constant(let slot): return slot.canonical(objects.aliases)
    case .path(let path): return path.value(objects)
    case .entity(let path):
      return path.object(objects).map { .integer(Int64($0.layout.number)) } ?? .null
    case .entityName(let path):
      return path.object(objects).map { .string($0.layout.name) } ?? .null
    case .function(let function, let arguments):
      var values: [Slot] = []
      for argument in arguments { values.append(try argument.value(objects)) }
      return function(values)
    case .conditional(let predicate, let yes, let no):
      return try predicate.matches(objects) ? try yes.value(objects) : try no.value(objects)
    case .aggregate(let aggregate, let collection, let value):
      return try aggregate.value(collection, value, objects)
    case .group: preconditionFailure("aggregates over rows are only computed by the store")
    }
  }
}

extension ResolvedPath {
  fileprivate func value(_ objects: borrowing EvaluatedObjects) -> Slot {
    steps.slot(of: objects.object(scope)).canonical(objects.aliases)
  }

  /// The object at the end of the path; nil where it leads nowhere.
  fileprivate func object(_ objects: borrowing EvaluatedObjects) -> NSManagedObject? {
    var object = objects.object(scope)
    for property in steps {
      guard object.layout.isKind(of: property.owner), let next = object.toOne(property) else { return nil }
      object = next
    }
    return object
  }
}

extension [PropertyLayout] {
  /// The value at the end of the path, as it is compared; null as soon as a relationship leads nowhere.
  func slot(of object: NSManagedObject) -> Slot {
    var object = object
    for property in dropLast() {
      guard object.layout.isKind(of: property.owner), let next = object.toOne(property) else { return .null }
      object = next
    }
    guard let last else { return .reference(object.reference) }
    guard object.layout.isKind(of: last.owner) else { return .null }
    return last.part(of: object.attribute(last.index)).comparable
  }
}

extension ResolvedCollection {
  /// The elements that meet the filter, each once.
  fileprivate func elements(_ objects: borrowing EvaluatedObjects) throws(PredicateFailure) -> [NSManagedObject] {
    var found = [objects.object(base)]
    for property in steps {
      var next: [NSManagedObject] = []
      for object in found where object.layout.isKind(of: property.owner) {
        if property.relation.isToMany {
          next += object.members(property).objects
        } else if let other = object.toOne(property) {
          next.append(other)
        }
      }
      found = next
    }
    if isDeep {
      var seen: Set<ObjectIdentifier> = []
      found.removeAll { !seen.insert(ObjectIdentifier($0)).inserted }
    }
    guard let filter else { return found }
    var elements: [NSManagedObject] = []
    for object in found where try filter.matches(objects.adding(object, element)) { elements.append(object) }
    return elements
  }
}

extension CollectionAggregate {
  fileprivate func value(
    _ collection: ResolvedCollection, _ value: ResolvedExpression, _ objects: borrowing EvaluatedObjects
  ) throws(PredicateFailure) -> Slot {
    let elements = try collection.elements(objects)
    if self == .count { return .integer(Int64(elements.count)) }
    var sum = ExactSum()
    var best = Slot.null
    for element in elements {
      let slot = try value.value(objects.adding(element, collection.element))
      if slot.isNull { continue }
      sum.add(slot)
      if best.isNull {
        best = slot
      } else if let order = slot.order(best), self == .minimum ? order < 0 : order > 0 {
        best = slot
      }
    }
    return switch self {
    case .count, .sum: sum.sum
    case .average: sum.average(of: elements.count)
    case .minimum, .maximum: best
    }
  }
}
