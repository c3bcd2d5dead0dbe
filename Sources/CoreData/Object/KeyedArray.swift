import RowStore

/// The array that an object has under a key, as one that can be changed: every change sets another array.
///
/// Keeps its object; on the object's queue.
final class KeyedArray: NSMutableArray {
  private let owner: NSManagedObject
  private let key: String

  init(_ owner: NSManagedObject, _ key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
  }

  required init(objects: UnsafePointer<AnyObject>?, count: Int) {
    preconditionFailure("the array of a key is made with mutableArrayValue(forKey:); use NSMutableArray for others")
  }

  required convenience init(arrayLiteral elements: Any...) {
    preconditionFailure("the array of a key is made with mutableArrayValue(forKey:); use NSMutableArray for others")
  }

  required init?(coder: NSCoder) { nil }

  private var members: [Any] {
    guard let value = owner.value(forKey: key) else { return [] }
    guard let members = value as? [Any] ?? (value as? NSOrderedSet)?.array else {
      preconditionFailure("\(owner.layout.name).\(key) has no array, but a value of \(type(of: value))")
    }
    return members
  }

  private func set(_ members: [Any]) {
    let isOrdered = owner.layout.propertiesByName[key]?.relation?.isOrdered ?? false
    owner.setValue(isOrdered ? NSOrderedSet(array: members) : members, forKey: key)
  }

  private func change(_ body: (inout [Any]) -> Void) {
    var members = members
    body(&members)
    set(members)
  }

  private static func areEqual(_ one: Any, _ other: Any) -> Bool {
    if let object = one as? NSManagedObject { return object.isEqual(other) }
    return KeyedArchive.areEqual(one, other)
  }

  // MARK: Reading

  override var count: Int { members.count }
  override func object(at index: Int) -> Any { members[index] }
  override func index(of anObject: Any) -> Int {
    members.firstIndex { Self.areEqual($0, anObject) } ?? NSNotFound
  }
  override var description: String { NSArray(array: members).description }
  /// An array of its own, which the object no longer changes.
  override func copy(with zone: NSZone? = nil) -> Any { NSArray(array: members) }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableArray(array: members) }

  // MARK: Changing

  override func insert(_ anObject: Any, at index: Int) { change { $0.insert(anObject, at: index) } }
  override func add(_ anObject: Any) { change { $0.append(anObject) } }
  override func addObjects(from otherArray: [Any]) { change { $0 += otherArray } }
  override func removeObject(at index: Int) { change { $0.remove(at: index) } }
  override func removeLastObject() { change { $0.removeLast() } }
  override func removeAllObjects() { set([]) }
  override func remove(_ anObject: Any) { change { $0.removeAll { Self.areEqual($0, anObject) } } }
  override func removeObjects(in otherArray: [Any]) {
    change { $0.removeAll { member in otherArray.contains { Self.areEqual(member, $0) } } }
  }
  override func replaceObject(at index: Int, with anObject: Any) { change { $0[index] = anObject } }
  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) { change { $0.swapAt(idx1, idx2) } }
  override func setArray(_ otherArray: [Any]) { set(otherArray) }
  override func sort(using sortDescriptors: [NSSortDescriptor]) {
    set(NSArray(array: members).sortedArray(using: sortDescriptors))
  }
}

extension NSManagedObject {
  /// The array under a key, of an attribute or an ordered relationship, as one that can be changed: every change is one of the
  /// object. A cast of it to a Swift array is empty on Linux; its `copy()` has the elements.
  ///
  /// - Precondition: the value is an array, an ordered set or nil.
  public final func mutableArrayValue(forKey key: String) -> NSMutableArray {
    touch(key)
    return KeyedArray(self, key)
  }
}
