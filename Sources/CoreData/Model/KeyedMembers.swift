/// The members of all classes that key-value coding finds by their names.
struct DeclaredMembers {
  let properties: [_KeyedProperty]
  let validators: [_KeyedValidator]

  init(_ modules: [_ManagedClassNames.Type]) {
    properties = modules.flatMap { $0.properties }
    validators = modules.flatMap { $0.validators }
  }
}

/// The members of a class of objects, inherited ones too, that key-value coding finds by their names.
struct KeyedMembers {
  let properties: [String: _KeyedProperty]
  let validators: [String: _KeyedValidator]

  /// Nil where the class has none.
  init?(of type: NSManagedObject.Type, among all: DeclaredMembers) {
    if all.properties.isEmpty, all.validators.isEmpty { return nil }
    var depths: [ObjectIdentifier: Int] = [:]
    var candidate: AnyClass? = type
    while let current = candidate {
      depths[ObjectIdentifier(current)] = depths.count
      candidate = _getSuperclass(current)
    }
    /// Of several members with one name, the one of the nearest class.
    func nearest<Member>(_ members: [Member], _ key: (Member) -> String, _ owner: (Member) -> AnyClass) -> [String:
      Member]
    {
      let own = members.compactMap { member in
        depths[ObjectIdentifier(owner(member))].map { (member: member, depth: $0) }
      }
      return Dictionary(own.sorted { $0.depth < $1.depth }.map { (key($0.member), $0.member) }) { first, _ in first }
    }
    properties = nearest(all.properties, \.key, \.owner)
    validators = nearest(all.validators, \.key, \.owner)
    if properties.isEmpty, validators.isEmpty { return nil }
  }
}
