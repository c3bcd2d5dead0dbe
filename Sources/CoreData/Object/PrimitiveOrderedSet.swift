/// The members of an ordered relationship as a primitive value: a change is made on this side alone, and is no change of the
/// object.
final class PrimitiveOrderedSet: OrderedRelationshipProxy {
  override func setMembers(_ objects: [NSManagedObject]) {
    var listed: Set<ObjectIdentifier> = []
    object.storeMembers(property, objects.filter { listed.insert(ObjectIdentifier($0)).inserted })
    bringUpToDate()
  }

  private func edit(_ body: (NSMutableOrderedSet) -> Void) {
    let edited = NSMutableOrderedSet(array: members)
    body(edited)
    setMembers(edited.array.map(member))
  }

  override func insert(_ object: Any, at idx: Int) { edit { $0.insert(object, at: idx) } }

  override func removeObject(at idx: Int) { edit { $0.removeObject(at: idx) } }

  override func replaceObject(at idx: Int, with obj: Any) { edit { $0.replaceObject(at: idx, with: obj) } }

  override func add(_ object: Any) { edit { $0.add(object) } }

  override func remove(_ val: Any) { edit { $0.remove(val) } }

  override func addObjects(from array: [Any]) { edit { $0.addObjects(from: array) } }

  override func insert(_ objects: [Any], at indexes: IndexSet) { edit { $0.insert(objects, at: indexes) } }

  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
    edit { $0.exchangeObject(at: idx1, withObjectAt: idx2) }
  }

  override func moveObjects(at indexes: IndexSet, to idx: Int) { edit { $0.moveObjects(at: indexes, to: idx) } }

  override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
    // Foundation's own ends the process where an object has a place already.
    var replaced = members
    for (index, object) in zip(indexes, objects) { replaced[index] = member(object) }
    setMembers(replaced)
  }

  override func removeObjects(at indexes: IndexSet) { edit { $0.removeObjects(at: indexes) } }

  override func removeObjects(in array: [Any]) { edit { $0.removeObjects(in: array) } }
}
