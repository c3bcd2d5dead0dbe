import RowStore

/// The effect of a deletion on one object on the other side of a relationship: decided by the rule, that object's state and the
/// inverse.
enum DeleteEffect: Equatable {
  /// The other object is left as it is.
  case nothing
  /// The other object forbids the deletion.
  case deny
  /// The other object is deleted, too.
  case delete
  /// The deleted object leaves the other one's to-many relationship.
  case leaveMembers
  /// The other object's to-one relationship leads nowhere.
  case clear

  /// The inverse of a relationship, as far as deletions ask.
  enum Inverse: CaseIterable {
    case none, toOne, toMany

    @inline(__always)
    init(_ inverse: PropertyLayout?) {
      self = inverse.map { $0.relation.isToMany ? .toMany : .toOne } ?? .none
    }
  }

  // For each object that a deletion reaches.
  @inline(__always)
  init(_ rule: DeleteRule, target: ChangeState, _ inverse: Inverse) {
    // A target that is deleted or gone neither forbids nor follows.
    guard target.isDisjoint(with: [.deleted, .gone]) else {
      self = .nothing
      return
    }
    switch (rule, inverse) {
    case (.noAction, _), (.nullify, .none): self = .nothing
    case (.deny, _): self = .deny
    case (.cascade, _): self = .delete
    case (.nullify, .toMany): self = .leaveMembers
    case (.nullify, .toOne): self = .clear
    }
  }
}
