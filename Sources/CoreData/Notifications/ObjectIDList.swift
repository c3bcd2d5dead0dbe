/// The IDs of objects as an array: each is made when it is read, since most readers of a notification ask for none.
final class ObjectIDList: NSArray {
  // Written once, before anyone has the list: `NSArray` has too many required initialisers for one of its own.
  private var objects: [NSManagedObject] = []

  static func of(_ objects: [NSManagedObject]) -> NSArray {
    let list = ObjectIDList()
    list.objects = objects
    return list
  }

  override var count: Int { objects.count }

  override func object(at index: Int) -> Any {
    precondition(objects.indices ~= index, "an index is below the count")
    return objects[index].objectID
  }
}
