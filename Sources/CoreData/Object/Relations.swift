/// The state of an object's relationships: one for each of its entity, or none until the first is looked at.
///
/// As large as a reference. Where the entity has one relationship, its state is stored in place.
enum Relations {
  case unread
  case sole(Relation)
  case several(ContiguousArray<Relation>)

  /// The state of `count` relationships that were never read.
  static func unknown(_ count: Int) -> Relations {
    if count == 1 { return .sole(.unknown) }
    // One by one, which the compiler specialises: initialisers look the type of their storage up each time.
    var relations: ContiguousArray<Relation> = []
    relations.reserveCapacity(count)
    for _ in 0..<count { relations.append(.unknown) }
    return .several(relations)
  }

  @inline(__always)
  var isEmpty: Bool { if case .unread = self { true } else { false } }

  /// The old state is released when all else is in its place: a deinitialiser may come back to the object.
  @inline(__always)
  mutating func set(_ position: Int, _ new: consuming Relation) {
    change(position) { swap(&$0, &new) }
    // Without this the optimiser releases the old state right after the swap.
    withExtendedLifetime(new) {}
  }

  /// Changes the state of one, in place; `body` must not release the old one.
  @inline(__always)
  mutating func change<Result>(_ position: Int, _ body: (inout Relation) -> Result) -> Result {
    switch consume self {
    case .several(var relations):
      self = .unread
      defer { self = .several(relations) }
      return body(&relations[position])
    case .sole(var relation) where position == 0:
      self = .unread
      defer { self = .sole(relation) }
      return body(&relation)
    case .sole, .unread: preconditionFailure("the object knows of no such relationship")
    }
  }

  /// The state of a to-many relationship, without a reference counted; nil where none is known.
  @inline(__always)
  func manyReference(at position: Int) -> Unmanaged<ToMany>? {
    switch self {
    case .unread: nil
    case .sole(let relation): position == 0 ? relation.manyReference : nil
    case .several(let relations):
      relations.withUnsafeBufferPointer { position < $0.count ? $0[position].manyReference : nil }
    }
  }

  /// Whether one leads to an object that `isMatch` says so of, which is called without a reference counted.
  @inline(__always)
  func leadsToOne(where isMatch: (NSManagedObject) -> Bool) -> Bool {
    switch self {
    case .unread: false
    case .sole(let relation): relation.leadsToOne(where: isMatch)
    case .several(let relations):
      relations.withUnsafeBufferPointer { relations in
        for index in relations.indices where relations[index].leadsToOne(where: isMatch) { return true }
        return false
      }
    }
  }
}

extension Relations: RandomAccessCollection, MutableCollection {
  @inline(__always)
  var startIndex: Int { 0 }

  @inline(__always)
  var endIndex: Int {
    switch self {
    case .unread: 0
    case .sole: 1
    case .several(let relations): relations.count
    }
  }

  @inline(__always)
  subscript(position: Int) -> Relation {
    get {
      switch self {
      case .several(let relations): return relations[position]
      case .sole(let relation) where position == 0: return relation
      case .sole, .unread: preconditionFailure("the object knows of no such relationship")
      }
    }
    set { set(position, newValue) }
  }
}

extension Relation {
  @inline(__always)
  var manyReference: Unmanaged<ToMany>? {
    if case .many(let toMany) = self { .passUnretained(toMany) } else { nil }
  }

  @inline(__always)
  fileprivate func leadsToOne(where isMatch: (NSManagedObject) -> Bool) -> Bool {
    if case .one(let object) = self { isMatch(object) } else { false }
  }
}

extension NSManagedObject {
  /// Makes place for the state of the object's relationships.
  @inline(__always)
  final func withRelation<Result>(_ position: Int, _ body: (inout Relation) -> Result) -> Result {
    if relations.isEmpty { relations = .unknown(layoutReference._withUnsafeGuaranteedRef { $0.relationshipCount }) }
    return relations.change(position, body)
  }

  /// The old state is released when the object has its relations again: a deinitialiser may come back to it.
  @inline(__always)
  final func setRelation(_ position: Int, _ new: consuming Relation) {
    if relations.isEmpty { relations = .unknown(layoutReference._withUnsafeGuaranteedRef { $0.relationshipCount }) }
    relations.change(position) { swap(&$0, &new) }
    // As above.
    withExtendedLifetime(new) {}
  }

  /// Forgets relationships that were read, and keeps unsaved changes; the next access reads again.
  final func forgetUnchangedRelations() {
    for (position, relation) in relations.enumerated() {
      switch relation {
      case .many(let toMany):
        if toMany.hasChanges {
          toMany.forgetMembers()
        } else if toMany.hasForgottenChanges {
          // Changes that only the other side has unsaved count as long as they are unsaved.
          relations[position] = .many(
            ToMany(isOrdered: layout.relationships[position].relation.isOrdered, hasForgottenChanges: true))
        } else {
          relations[position] = .unknown
        }
      case .one, .none:
        if !changed.contains(layout.relationships[position].index) { relations[position] = .unknown }
      case .unknown: break
      }
    }
  }

  /// The relations of the object once it is a fault: that the other side has unsaved changes of them.
  final var relationsOfFault: Relations {
    var result = Relations.unread
    for (position, relation) in relations.enumerated() {
      guard case .many(let toMany) = relation, toMany.hasChanges || toMany.hasForgottenChanges else { continue }
      if result.isEmpty { result = .unknown(relations.count) }
      result[position] = .many(
        ToMany(isOrdered: layout.relationships[position].relation.isOrdered, hasForgottenChanges: true))
    }
    return result
  }
}
