import Cells
import CoreData

/// Reads the objects of an island in a context, and makes edits there; in blocks of the context.
struct ContextPicture {
  let model: DrawnModel
  let island: Int
  let context: NSManagedObjectContext

  // MARK: Finding

  /// Every object of an entity and of those that inherit from it, as a fetch finds them.
  func fetch(_ entity: String) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "\(DrawnModel.island) == %ld", island)
    return try context.fetch(request)
  }

  /// The object of a number, as a fetch finds it.
  func object(_ name: Int, _ entity: String) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: model.root(of: entity))
    request.predicate = NSPredicate(format: "\(DrawnModel.number) == %ld", name)
    return try context.fetch(request).first
  }

  /// The number of an object; -1 for one without a row.
  static func name(of object: NSManagedObject) -> Int {
    (object.value(forKey: DrawnModel.number) as? NSNumber)?.intValue ?? -1
  }

  // MARK: Reading

  /// All objects as fetches find them, with all they have.
  func graph() throws -> ObjectGraph {
    var graph = ObjectGraph(model)
    for root in DrawnModel.roots {
      for object in try fetch(root) { graph.nodes[Self.name(of: object)] = node(object) }
    }
    return graph
  }

  /// All an object has.
  func node(_ object: NSManagedObject) -> ObjectGraph.Node {
    let entity = object.entity.name ?? ""
    var node = ObjectGraph.Node(entity: entity)
    for attribute in model.entity(entity).attributes { node.values[attribute] = value(attribute, of: object) }
    for relationship in model.entity(entity).relationships { read(relationship, of: object, into: &node) }
    return node
  }

  func value(_ attribute: String, of object: NSManagedObject) -> String? {
    guard let type = model.attributes[attribute]?.type else { return nil }
    return DrawnValue.text(object.value(forKey: attribute), type)
  }

  private func read(_ relationship: String, of object: NSManagedObject, into node: inout ObjectGraph.Node) {
    let members = objects(relationship, of: object).map(Self.name)
    guard model.relationship(relationship).isToMany else {
      node.ones[relationship] = members.first
      return
    }
    node.manys[relationship] =
      members.isEmpty ? nil : model.relationship(relationship).isOrdered ? members : members.sorted()
  }

  /// The objects in a relationship.
  func objects(_ relationship: String, of object: NSManagedObject) -> [NSManagedObject] {
    switch object.value(forKey: relationship) {
    case let target as NSManagedObject: [target]
    case let set as Set<NSManagedObject>: Array(set)
    case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }

  // MARK: Editing

  /// Makes an edit.
  ///
  /// - Parameter find: gives the object of a number; nil where the context has none.
  /// - Returns: the object that was inserted.
  /// - Throws: an error of `find`, or ``UnexpectedAnswer`` where an object is not found that has to be there.
  @discardableResult
  func apply(_ edit: Edit, finding find: (Int) throws -> NSManagedObject?) throws -> NSManagedObject? {
    func object(_ name: Int) throws -> NSManagedObject {
      guard let object = try find(name) else {
        throw UnexpectedAnswer(subject: "object \(name)", expected: "found for \(edit)", seen: "nothing")
      }
      return object
    }
    switch edit {
    case .insert(let name, let entity):
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue(NSNumber(value: island), forKey: DrawnModel.island)
      object.setValue(NSNumber(value: name), forKey: DrawnModel.number)
      return object
    case .set(let name, let attribute, let value):
      let type = model.attributes[attribute]?.type ?? .undefinedAttributeType
      try object(name).setValue(value.map { DrawnValue.value(type, $0) }, forKey: attribute)
    case .relate(let name, let relationship, let target):
      try object(name).setValue(try target.map(object), forKey: relationship)
    case .add(let name, let relationship, let member):
      add(try object(member), to: try object(name), relationship)
    case .remove(let name, let relationship, let member):
      remove(try object(member), from: try object(name), relationship)
    case .move(let name, let relationship, let member, let place):
      let list = try object(name).mutableOrderedSetValue(forKey: relationship)
      list.moveObjects(at: IndexSet(integer: list.index(of: try object(member))), to: min(place, list.count - 1))
    case .replace(let name, let relationship, let members):
      let objects = try members.map(object)
      try object(name).setValue(
        model.relationship(relationship).isOrdered ? NSOrderedSet(array: objects) : Set(objects), forKey: relationship)
    case .delete(let name): context.delete(try object(name))
    }
    return nil
  }

  private func add(_ member: NSManagedObject, to owner: NSManagedObject, _ relationship: String) {
    if model.relationship(relationship).isOrdered {
      owner.mutableOrderedSetValue(forKey: relationship).add(member)
    } else {
      owner.mutableSetValue(forKey: relationship).add(member)
    }
  }

  private func remove(_ member: NSManagedObject, from owner: NSManagedObject, _ relationship: String) {
    if model.relationship(relationship).isOrdered {
      owner.mutableOrderedSetValue(forKey: relationship).remove(member)
    } else {
      owner.mutableSetValue(forKey: relationship).remove(member)
    }
  }
}
