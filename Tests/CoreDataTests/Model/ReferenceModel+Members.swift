extension ReferenceModel {
  /// The other side of a to-many relationship.
  struct Many: Equatable {
    var members: Set<Int>?
    var added: Set<Int> = []
    var removed: Set<Int> = []
    var isOrdered = false
    /// Whether nothing was ever above.
    var isNew = false
    var order = Order()

    mutating func add(_ name: Int) {
      if members?.insert(name).inserted ?? true {
        order.list?.append(name)
        if order.wanted != nil { order.wanted = order.wanted.map { $0.filter { $0 != name } + [name] } }
      }
      if removed.remove(name) != nil {
        order.isArranged = isOrdered
      } else if added.insert(name).inserted {
        order.comers.append(name)
      }
    }

    mutating func remove(_ name: Int) {
      members?.remove(name)
      order.list?.removeAll { $0 == name }
      order.wanted?.removeAll { $0 == name }
      order.comers.removeAll { $0 == name }
      if added.remove(name) == nil { removed.insert(name) }
    }

    /// What is above in the meantime as well is no change any more.
    mutating func dropChanges(madeIn above: Set<Int>) {
      added.subtract(above)
      order.comers.removeAll(where: above.contains)
      removed.formIntersection(above)
    }

    /// No addition or removal is a change any more.
    mutating func drop(_ name: Int) {
      members?.remove(name)
      added.remove(name)
      removed.remove(name)
      order.drop(name)
    }

    /// The members are read again when they are next asked for.
    mutating func forget() {
      members = nil
      order.forget()
    }

    /// The same; without changes nothing stays.
    mutating func forgetUnchanged() {
      if hasChanges { forget() } else { self = Many(isOrdered: isOrdered) }
    }

    mutating func commit() {
      (added, removed, isNew) = ([], [], false)
      order.commit()
    }

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || order.differs }
  }
}
