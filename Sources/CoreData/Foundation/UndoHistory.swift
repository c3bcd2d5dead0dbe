/// The record of an undo manager: the open groups, and the closed ones that can be undone and redone. Pure bookkeeping;
/// ``UndoManager`` runs the actions and posts the notifications.
struct UndoHistory {
  /// One recorded operation; its target is not kept alive.
  struct Action {
    private(set) weak var target: AnyObject?
    /// Distinguished from a later object at the same address by `target`, which is nil by then.
    private let run: (AnyObject) -> Void

    init(target: AnyObject, run: @escaping (AnyObject) -> Void) {
      self.target = target
      self.run = run
    }

    /// Nothing when the target is gone.
    func perform() {
      if let target { run(target) }
    }
  }

  /// An item of a group; items are in the order they were recorded.
  enum Item {
    case action(Action)
    case group(Group)
  }

  /// Operations that are undone together.
  struct Group {
    var items: [Item] = []
    var name = ""
    var isDiscardable = false
    /// Opened by the first operation of an event rather than by a call.
    var isImplicit = false

    /// Every action in the order in which undoing performs them: the last one first.
    var reversedActions: [Action] {
      items.reversed().flatMap { item in
        switch item {
        case .action(let action): [action]
        case .group(let group): group.reversedActions
        }
      }
    }

    /// Whether nothing is in the group, nor in its nested ones.
    var hasNoActions: Bool {
      items.allSatisfy { if case .group(let group) = $0 { group.hasNoActions } else { false } }
    }

    /// Takes out the actions of a target, and the nested groups that held nothing else.
    mutating func removeActions(of target: AnyObject) {
      items = items.compactMap { item in
        switch item {
        case .action(let action): return action.target === target ? nil : item
        case .group(var group):
          let wasEmpty = group.hasNoActions
          group.removeActions(of: target)
          return group.hasNoActions && !wasEmpty ? nil : .group(group)
        }
      }
    }
  }

  /// The two stacks.
  enum Side { case undo, redo }

  private(set) var undoable: [Group] = []
  private(set) var redoable: [Group] = []
  /// The outermost first.
  private(set) var open: [Group] = []
  /// The most groups each stack keeps; 0 for no limit.
  var levelsMax = 0 {
    didSet { trim() }
  }

  private mutating func trim() {
    guard levelsMax > 0 else { return }
    undoable.removeFirst(max(0, undoable.count - levelsMax))
    redoable.removeFirst(max(0, redoable.count - levelsMax))
  }

  mutating func begin(isImplicit: Bool = false) { open.append(Group(isImplicit: isImplicit)) }

  /// Closes the innermost group: it joins the one around it, or a stack.
  ///
  /// - Parameter keepsEmpty: false for implicit groups; they are dropped when empty.
  /// - Precondition: a group is open.
  mutating func end(onto side: Side, keepsEmpty: Bool) {
    precondition(!open.isEmpty, "a group that ends was begun")
    let group = open.removeLast()
    if group.items.isEmpty, !keepsEmpty { return }
    if open.isEmpty { return push(group, onto: side) }
    let outer = open.count - 1
    if open[outer].name.isEmpty { open[outer].name = group.name }
    open[outer].items.append(.group(group))
  }

  private mutating func push(_ group: Group, onto side: Side) {
    switch side {
    case .undo: undoable.append(group)
    case .redo: redoable.append(group)
    }
    trim()
  }

  /// - Precondition: a group is open.
  mutating func record(_ action: Action) { open[open.count - 1].items.append(.action(action)) }

  mutating func forgetRedo() { redoable = [] }

  /// Removes the group to undo next: the last one on the stack, or the last nested one of an open group.
  ///
  /// - Returns: nil when there is nothing, or when an action was recorded after the last nested group.
  mutating func popUndo() -> Group? {
    guard let innermost = open.indices.last else { return undoable.popLast() }
    guard case .group(let group)? = open[innermost].items.last else { return nil }
    open[innermost].items.removeLast()
    return group
  }

  mutating func popRedo() -> Group? { redoable.popLast() }

  /// The open groups, taken out while actions are performed: operations that these record make a group of their own.
  mutating func suspend() -> [Group] {
    defer { open = [] }
    return open
  }

  mutating func resume(_ groups: [Group]) { open = groups }

  /// Names the innermost open group, else the group that would be undone next.
  mutating func name(_ name: String) { changeLatest { $0.name = name } }

  mutating func setDiscardable(_ isDiscardable: Bool) { changeLatest { $0.isDiscardable = isDiscardable } }

  private mutating func changeLatest(_ change: (inout Group) -> Void) {
    if let last = open.indices.last {
      change(&open[last])
    } else if let last = undoable.indices.last {
      change(&undoable[last])
    }
  }

  /// The group that the next undo takes back: the open one when it has something, else the last closed one.
  var next: Group? {
    if let first = open.first, !first.items.isEmpty { return first }
    return undoable.last
  }

  /// Empties everything; open groups stay open.
  mutating func removeAll() {
    undoable = []
    redoable = []
    for index in open.indices { open[index].items = [] }
  }

  /// Takes out the actions of a target, and the groups that held nothing else.
  mutating func removeActions(of target: AnyObject) {
    func remove(_ groups: inout [Group]) {
      groups = groups.compactMap { group in
        let wasEmpty = group.hasNoActions
        var group = group
        group.removeActions(of: target)
        return group.hasNoActions && !wasEmpty ? nil : group
      }
    }
    remove(&undoable)
    remove(&redoable)
    for index in open.indices { open[index].removeActions(of: target) }
  }
}
