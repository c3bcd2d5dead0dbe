import Scheduling

/// Records operations so that they can be undone and redone, in groups.
///
/// On one thread or queue at a time, that of the objects it records. A target is not kept alive; once it is gone its operations
/// do nothing.
///
/// With ``groupsByEvent`` a group opens by itself. It closes at the end of the main queue's turn in which it was opened,
/// at the end of a block that a context's `perform(_:)` runs, when a context of another queue has processed its
/// changes, or with ``undo()`` and ``redo()``.
/// - SeeAlso: Apple, "UndoManager"; DEVIATIONS.md, "Undo".
open nonisolated class UndoManager: NSObject {
  private var history = UndoHistory()
  private var disableCount = 0
  private var isCloseEnqueued = false
  private var isBeginningUndo = false

  /// Makes a manager that has recorded nothing.
  public override init() { super.init() }

  // MARK: Groups

  /// Whether the first operation of an event opens a group; true by default.
  open var groupsByEvent = true

  /// How many groups are open, one in the other.
  open var groupingLevel: Int { history.open.count }

  /// How many groups can be undone, and how many redone; the oldest go first. 0, the default, for no limit.
  open var levelsOfUndo: Int {
    get { history.levelsMax }
    set {
      precondition(newValue >= 0, "levelsOfUndo is 0 for no limit, or the number of groups to keep")
      history.levelsMax = newValue
    }
  }

  /// Opens a group, inside the one that is open, or inside the event's when ``groupsByEvent`` is on.
  open func beginUndoGrouping() {
    if groupingLevel == 0, groupsByEvent, !isUndoing, !isRedoing { beginEvent() }
    if groupingLevel > 0 { post(.NSUndoManagerCheckpoint) }
    history.begin()
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Closes the group opened last.
  ///
  /// - Precondition: a group is open.
  open func endUndoGrouping() {
    precondition(groupingLevel > 0, "endUndoGrouping called with no matching begin")
    close(keepsEmpty: true)
  }

  private func beginEvent() {
    history.begin(isImplicit: true)
    post(.NSUndoManagerDidOpenUndoGroup)
    guard SerialQueue.main.isHeld, !isCloseEnqueued else { return }
    isCloseEnqueued = true
    let event = Event(self)
    SerialQueue.main.async { event.end() }
  }

  /// Closes the manager's event group at the end of the main queue's turn.
  private final class Event: @unchecked Sendable {
    // Sendable: made on the main queue, and used there once more.
    private weak var manager: UndoManager?

    init(_ manager: UndoManager) { self.manager = manager }

    func end() {
      manager?.isCloseEnqueued = false
      manager?.endEvent()
    }
  }

  /// Closes the group that opened by itself, unless a group in it is open still.
  final func endEvent() {
    guard groupingLevel == 1, history.open[0].isImplicit, !isUndoing, !isRedoing else { return }
    close(keepsEmpty: false)
  }

  private func close(keepsEmpty: Bool) {
    post(.NSUndoManagerCheckpoint)
    // An observer may have closed it.
    guard let group = history.open.last else { return }
    let info = group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: NSNumber(value: true)] : nil
    post(.NSUndoManagerWillCloseUndoGroup, info)
    history.end(onto: isUndoing ? .redo : .undo, keepsEmpty: keepsEmpty && !group.isImplicit)
    post(.NSUndoManagerDidCloseUndoGroup, info)
  }

  // MARK: Recording

  /// Whether operations are recorded; on until ``disableUndoRegistration()`` was called more often than its opposite.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

  /// Records nothing until ``enableUndoRegistration()`` was called as often.
  open func disableUndoRegistration() { disableCount += 1 }

  /// Takes back one ``disableUndoRegistration()``.
  ///
  /// - Precondition: one was called.
  open func enableUndoRegistration() {
    precondition(disableCount > 0, "enableUndoRegistration called with no matching disable")
    disableCount -= 1
  }

  /// Records the reverse of an operation; during an undo, its repetition.
  ///
  /// - Precondition: a group is open, or ``groupsByEvent`` is on.
  public func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType, handler: @escaping (TargetType) -> Void
  ) {
    guard isUndoRegistrationEnabled else { return }
    if groupingLevel == 0 {
      precondition(groupsByEvent, "must begin a group before registering undo")
      beginEvent()
    }
    history.record(UndoHistory.Action(target: target) { handler(unsafeDowncast($0, to: TargetType.self)) })
    if !isUndoing, !isRedoing { history.forgetRedo() }
  }

  /// Forgets everything, and records again if that was disabled; groups that are open stay so.
  open func removeAllActions() {
    history.removeAll()
    disableCount = 0
  }

  /// Forgets the operations of one target.
  open func removeAllActions(withTarget target: Any) { history.removeActions(of: target as AnyObject) }

  // MARK: Undoing

  /// Whether an undo is being performed.
  open private(set) var isUndoing = false

  /// Whether a redo is being performed.
  open private(set) var isRedoing = false

  /// Whether there is something to undo; a group may have to be closed before.
  open var canUndo: Bool { history.next != nil }

  /// Whether there is something to redo; before that, observers may record operations that end this.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !history.redoable.isEmpty
  }

  /// How many groups can be undone.
  open var undoCount: Int { history.undoable.count }

  /// How many groups can be redone.
  open var redoCount: Int { history.redoable.count }

  /// Closes the open group and takes back the last one, which can be redone then; nothing without one.
  ///
  /// - Precondition: no nested group is open, and no undo or redo is being performed.
  open func undo() {
    postBeforeUndo()
    if groupingLevel == 1 { close(keepsEmpty: true) }
    precondition(groupingLevel == 0, "undo was called with too many nested undo groups; close them, or undoNestedGroup")
    undoNestedGroup()
  }

  /// Takes back the group closed last, be it nested in an open one.
  ///
  /// - Precondition: nothing was recorded after that group, and no undo or redo is being performed.
  open func undoNestedGroup() {
    precondition(!isUndoing && !isRedoing, "undoNestedGroup was called while undoing or redoing")
    postBeforeUndo()
    guard let group = history.popUndo() else {
      precondition(
        history.open.last?.items.isEmpty ?? true,
        "undoNestedGroup was called with operations recorded since the last group was closed; close theirs first")
      return
    }
    post(.NSUndoManagerWillUndoChange)
    isUndoing = true
    perform(group, recordingOnto: .redo)
    isUndoing = false
    post(.NSUndoManagerDidUndoChange)
  }

  /// Performs again the operation that was undone last; nothing when none was, or something was recorded since.
  ///
  /// - Precondition: no group that was opened by a call is open, and no undo or redo is being performed.
  open func redo() {
    precondition(!isUndoing && !isRedoing, "redo was called while undoing or redoing")
    postBeforeUndo()
    endEvent()
    precondition(groupingLevel == 0, "redo was called with open undo groups; close them first")
    guard let group = history.popRedo() else { return }
    post(.NSUndoManagerWillRedoChange)
    isRedoing = true
    perform(group, recordingOnto: .undo)
    isRedoing = false
    post(.NSUndoManagerDidRedoChange)
  }

  /// Whether an undo or a redo begins or is performed, so that nothing may wait to be recorded.
  final var isAtUndo: Bool { isBeginningUndo || isUndoing || isRedoing }

  private func postBeforeUndo() {
    isBeginningUndo = true
    post(.NSUndoManagerCheckpoint)
    isBeginningUndo = false
  }

  private func perform(_ group: UndoHistory.Group, recordingOnto side: UndoHistory.Side) {
    let outer = history.suspend()
    history.begin()
    history.name(group.name)
    history.setDiscardable(group.isDiscardable)
    for action in group.reversedActions { action.perform() }
    while groupingLevel > 1 { close(keepsEmpty: false) }
    post(.NSUndoManagerCheckpoint)
    history.end(onto: side, keepsEmpty: false)
    history.resume(outer)
  }

  // MARK: Names

  /// Name of the operation that ``undo()`` takes back, for menus; empty without one.
  open var undoActionName: String { history.next?.name ?? "" }

  /// Name of the operation that ``redo()`` performs again; empty without one.
  open var redoActionName: String { history.redoable.last?.name ?? "" }

  /// Names the open group, or the one closed last; without any there is nothing to name.
  open func setActionName(_ actionName: String) { history.name(actionName) }

  /// Whether the operation that ``undo()`` takes back may be lost without harm.
  open var undoActionIsDiscardable: Bool { history.next?.isDiscardable ?? false }

  /// Whether the operation that ``redo()`` performs again may be lost without harm.
  open var redoActionIsDiscardable: Bool { history.redoable.last?.isDiscardable ?? false }

  /// Says of the open group, or of the one closed last, that it may be lost without harm: a change of the selection, for
  /// example.
  open func setActionIsDiscardable(_ discardable: Bool) { history.setDiscardable(discardable) }

  // MARK: Titles

  /// Title of the menu item for ``undo()``: "Undo", with the action's name if it has one.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// Title of the menu item for ``redo()``: "Redo", with the action's name if it has one.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// "Undo" with that name; not translated.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String { title("Undo", actionName) }

  /// "Redo" with that name; not translated.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String { title("Redo", actionName) }

  private func title(_ verb: String, _ actionName: String) -> String {
    actionName.isEmpty ? verb : "\(verb) \(actionName)"
  }

  private func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}
