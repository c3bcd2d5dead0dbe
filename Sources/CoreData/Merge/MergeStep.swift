/// The step of a merge for one object of a save: decided by the object's state here, before its newest row is looked for.
enum MergeStep: Equatable {
  case nothing
  /// The object is known now, as the fault that it is.
  case becomeKnown
  /// A fault's members are asked for again when they are wanted.
  case forgetMembers
  /// A fault has the newest row at hand.
  case renewRow
  /// A realised object takes the newest row, under its unsaved changes.
  case take
  /// The same with the parent's values.
  case takeFromParent

  /// The state of an object in a context.
  struct Known {
    var state: ChangeState
    var isRealised: Bool
    /// Whether it was read from a row: false of one that was inserted here.
    var hasRow: Bool
  }

  /// For an object that another context inserted.
  static func ofInsertion(_ known: Known, hasParent: Bool) -> MergeStep {
    guard known.isRealised, known.hasRow else { return .becomeKnown }
    return hasParent ? .takeFromParent : .take
  }

  /// For an object that another context changed.
  static func ofUpdate(_ known: Known, hasParent: Bool) -> MergeStep {
    // An object that undo brought back stays as it is until it is saved, though another context brought it back as well.
    guard known.state.isDisjoint(with: [.gone, .inserted]) else { return .nothing }
    if !known.isRealised { return hasParent ? .forgetMembers : .renewRow }
    return hasParent ? .takeFromParent : .take
  }
}
