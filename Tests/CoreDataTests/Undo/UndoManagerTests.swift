import CoreData
import Scheduling
import Testing

/// A number that records how to take each of its changes back.
private final class Counter {
  let manager: UndoManager
  private(set) var value = 0
  private(set) var history: [Int] = []

  init(_ manager: UndoManager) { self.manager = manager }

  func set(_ new: Int) {
    let old = value
    manager.registerUndo(withTarget: self) { $0.set(old) }
    value = new
    history.append(new)
  }

  /// A change in a group of its own.
  func setInGroup(_ new: Int) {
    manager.beginUndoGrouping()
    set(new)
    manager.endUndoGrouping()
  }
}

/// The manager's own rules; S2.4 is a context's use of them.
@Suite struct UndoManagerTests {
  /// A manager with groups that only open by call.
  private func manual() -> (UndoManager, Counter) {
    let manager = UndoManager()
    manager.groupsByEvent = false
    return (manager, Counter(manager))
  }

  @Test func undoTakesBackOneGroupAndRedoRepeatsIt() {
    let (manager, counter) = manual()
    counter.setInGroup(1)
    counter.setInGroup(2)
    manager.undo()
    #expect(counter.value == 1)
    #expect(manager.canUndo && manager.canRedo)
    manager.undo()
    #expect(counter.value == 0)
    #expect(!manager.canUndo)
    manager.redo()
    manager.redo()
    #expect(counter.value == 2)
    #expect(!manager.canRedo && manager.canUndo)
    manager.undo()
    #expect(counter.value == 1)
  }

  @Test func aGroupIsTakenBackWholeAndBackwards() {
    let (manager, counter) = manual()
    manager.beginUndoGrouping()
    for value in 1...3 { counter.set(value) }
    manager.endUndoGrouping()
    manager.undo()
    #expect(counter.history == [1, 2, 3, 2, 1, 0])
    manager.redo()
    #expect(counter.history.suffix(3) == [1, 2, 3])
  }

  @Test func nestedGroupsAreTakenBackWithTheirOuterOne() {
    let (manager, counter) = manual()
    manager.beginUndoGrouping()
    counter.setInGroup(1)
    counter.set(2)
    counter.setInGroup(3)
    #expect(manager.groupingLevel == 1)
    manager.endUndoGrouping()
    #expect(manager.undoCount == 1)
    manager.undo()
    #expect(counter.history == [1, 2, 3, 2, 1, 0])
  }

  @Test func undoNestedGroupTakesBackTheLastNestedOneOnly() {
    let (manager, counter) = manual()
    manager.beginUndoGrouping()
    counter.setInGroup(1)
    counter.setInGroup(2)
    manager.undoNestedGroup()
    #expect(counter.value == 1)
    #expect(manager.groupingLevel == 1)
    #expect(manager.redoCount == 1)
    manager.endUndoGrouping()
    manager.redo()
    #expect(counter.value == 2)
    manager.undo()
    manager.undo()
    #expect(counter.value == 0)
  }

  @Test func undoClosesTheOneOpenGroup() {
    let (manager, counter) = manual()
    manager.beginUndoGrouping()
    counter.set(1)
    #expect(manager.canUndo)
    manager.undo()
    #expect(manager.groupingLevel == 0)
    #expect(counter.value == 0)
    #expect(manager.canRedo)
  }

  @Test func aNewOperationForgetsWhatCouldBeRedone() {
    let (manager, counter) = manual()
    counter.setInGroup(1)
    manager.undo()
    #expect(manager.canRedo)
    counter.setInGroup(5)
    #expect(!manager.canRedo)
    manager.redo()
    #expect(counter.value == 5)
  }

  @Test func undoAndRedoWithoutAnythingDoNothing() {
    let (manager, counter) = manual()
    manager.undo()
    manager.redo()
    manager.undoNestedGroup()
    #expect(counter.history.isEmpty && !manager.canUndo && !manager.canRedo)
  }

  @Test func anOperationThatRecordsNothingCannotBeRedone() {
    let (manager, counter) = manual()
    manager.beginUndoGrouping()
    manager.registerUndo(withTarget: counter) { _ in }
    manager.endUndoGrouping()
    manager.undo()
    #expect(!manager.canRedo)
  }

  @Test(arguments: [0, 1, 3]) func levelsOfUndoLimitsBothStacks(_ levels: Int) {
    let (manager, counter) = manual()
    manager.levelsOfUndo = levels
    for value in 1...5 { counter.setInGroup(value) }
    let kept = levels == 0 ? 5 : levels
    #expect(manager.undoCount == kept)
    while manager.canUndo { manager.undo() }
    #expect(counter.value == 5 - kept)
    #expect(manager.redoCount == kept)
  }

  @Test func loweringLevelsOfUndoDropsTheOldest() {
    let (manager, counter) = manual()
    for value in 1...5 { counter.setInGroup(value) }
    manager.levelsOfUndo = 2
    manager.undo()
    manager.undo()
    manager.undo()
    #expect(counter.value == 3)
  }

  @Test func nothingIsRecordedWhileRegistrationIsDisabled() {
    let (manager, counter) = manual()
    manager.disableUndoRegistration()
    manager.disableUndoRegistration()
    manager.enableUndoRegistration()
    #expect(!manager.isUndoRegistrationEnabled)
    // No group is needed for changes that are not recorded.
    counter.set(1)
    manager.enableUndoRegistration()
    #expect(manager.isUndoRegistrationEnabled && !manager.canUndo)
    counter.setInGroup(2)
    manager.undo()
    #expect(counter.value == 1)
  }

  @Test func removeAllActionsForgetsAndRecordsAgain() {
    let (manager, counter) = manual()
    counter.setInGroup(1)
    counter.setInGroup(2)
    manager.undo()
    manager.beginUndoGrouping()
    manager.disableUndoRegistration()
    manager.removeAllActions()
    #expect(manager.isUndoRegistrationEnabled)
    #expect(!manager.canUndo && !manager.canRedo)
    #expect(manager.groupingLevel == 1)
    manager.endUndoGrouping()
  }

  @Test func removingOneTargetsActionsLeavesTheOthers() {
    let (manager, first) = manual()
    let second = Counter(manager)
    first.setInGroup(1)
    manager.beginUndoGrouping()
    first.set(2)
    second.setInGroup(2)
    manager.endUndoGrouping()
    manager.removeAllActions(withTarget: first)
    #expect(manager.undoCount == 1)
    manager.undo()
    #expect((first.value, second.value) == (2, 0))
    manager.redo()
    manager.removeAllActions(withTarget: second)
    #expect(!manager.canUndo)
  }

  @Test func aTargetIsNotKeptAliveAndDoesNothingOnceGone() {
    let manager = UndoManager()
    manager.groupsByEvent = false
    weak var gone: Counter?
    do {
      let counter = Counter(manager)
      gone = counter
      counter.setInGroup(1)
    }
    #expect(gone == nil)
    manager.undo()
    #expect(!manager.canRedo)
  }

  @Test func namesFollowTheirGroupFromOneStackToTheOther() {
    let (manager, counter) = manual()
    #expect(manager.undoMenuItemTitle == "Undo" && manager.redoMenuItemTitle == "Redo")
    manager.beginUndoGrouping()
    counter.set(1)
    manager.setActionName("Count")
    manager.endUndoGrouping()
    counter.setInGroup(2)
    manager.setActionName("Count More")
    #expect(manager.undoActionName == "Count More")
    #expect(manager.undoMenuItemTitle == "Undo Count More")
    manager.undo()
    #expect(manager.undoActionName == "Count" && manager.redoActionName == "Count More")
    #expect(manager.redoMenuItemTitle == "Redo Count More")
    manager.redo()
    #expect(manager.undoActionName == "Count More" && manager.redoActionName.isEmpty)
    #expect(manager.undoMenuTitle(forUndoActionName: "") == "Undo")
    #expect(manager.redoMenuTitle(forUndoActionName: "Typing") == "Redo Typing")
  }

  @Test func aGroupIsDiscardableWhenItWasSaidToBe() {
    let (manager, counter) = manual()
    manager.beginUndoGrouping()
    counter.set(1)
    manager.setActionIsDiscardable(true)
    let closed = Locked<[Bool]>([])
    let token = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerWillCloseUndoGroup, object: manager, queue: nil
    ) { notification in
      let value = notification.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? NSNumber
      closed.withLock { $0.append(value?.boolValue ?? false) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    manager.endUndoGrouping()
    #expect(manager.undoActionIsDiscardable && !manager.redoActionIsDiscardable)
    manager.undo()
    #expect(manager.redoActionIsDiscardable && !manager.undoActionIsDiscardable)
    counter.setInGroup(1)
    #expect(!manager.undoActionIsDiscardable)
    #expect(closed.withLock { $0 } == [true, false])
  }

  // MARK: Groups by event

  @Test func theFirstOperationOfAnEventOpensAGroup() {
    let manager = UndoManager()
    let counter = Counter(manager)
    counter.set(1)
    counter.set(2)
    #expect(manager.groupingLevel == 1)
    manager.undo()
    #expect(counter.value == 0 && manager.groupingLevel == 0)
    manager.redo()
    #expect(counter.value == 2)
  }

  @Test func aGroupBegunInAnEventIsNestedInTheEvents() {
    let manager = UndoManager()
    let counter = Counter(manager)
    manager.beginUndoGrouping()
    #expect(manager.groupingLevel == 2)
    counter.set(1)
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 1)
    manager.undo()
    #expect(counter.value == 0)
  }

  // MARK: Notifications

  @Test func eachStepIsPostedInOrder() {
    let (manager, counter) = manual()
    let log = Locked<[String]>([])
    let names: [(NSNotification.Name, String)] = [
      (.NSUndoManagerCheckpoint, "checkpoint"), (.NSUndoManagerDidOpenUndoGroup, "did open"),
      (.NSUndoManagerWillCloseUndoGroup, "will close"), (.NSUndoManagerDidCloseUndoGroup, "did close"),
      (.NSUndoManagerWillUndoChange, "will undo"), (.NSUndoManagerDidUndoChange, "did undo"),
      (.NSUndoManagerWillRedoChange, "will redo"), (.NSUndoManagerDidRedoChange, "did redo"),
    ]
    let tokens = names.map { name, text in
      NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { _ in
        log.withLock { $0.append(text) }
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    func take() -> [String] {
      log.withLock { log in
        defer { log = [] }
        return log
      }
    }
    manager.beginUndoGrouping()
    #expect(take() == ["did open"])
    counter.setInGroup(1)
    #expect(take() == ["checkpoint", "did open", "checkpoint", "will close", "did close"])
    manager.endUndoGrouping()
    #expect(take() == ["checkpoint", "will close", "did close"])
    manager.undo()
    #expect(take().filter { $0 != "checkpoint" } == ["will undo", "did undo"])
    #expect(manager.canRedo)
    #expect(take() == ["checkpoint"])
    manager.redo()
    #expect(take().filter { $0 != "checkpoint" } == ["will redo", "did redo"])
  }

  @Test func whatIsRecordedAtTheCheckpointIsInTheGroupThatCloses() {
    let manager = UndoManager()
    let counter = Counter(manager)
    // Sendable: notifications come on this thread.
    nonisolated(unsafe) let late = counter
    let isLate = Locked(true)
    let token = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
    ) { _ in
      let isFirst = isLate.withLock { isLate in
        defer { isLate = false }
        return isLate
      }
      if isFirst { late.set(9) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    counter.set(1)
    manager.undo()
    #expect(counter.history == [1, 9, 1, 0])
  }

  @Test func whetherItIsUndoingOrRedoingIsKnown() {
    let (manager, _) = manual()
    let target = NSObject()
    var seen: [String] = []
    func note() {
      seen.append(manager.isUndoing ? "undoing" : manager.isRedoing ? "redoing" : "neither")
      manager.registerUndo(withTarget: target) { _ in note() }
    }
    manager.beginUndoGrouping()
    note()
    manager.endUndoGrouping()
    manager.undo()
    manager.redo()
    #expect(seen == ["neither", "undoing", "redoing"])
    #expect(!manager.isUndoing && !manager.isRedoing)
  }

  // MARK: Misuse

  @Test func recordingWithoutAGroupIsFatal() async {
    await #expect(processExitsWith: .failure) {
      let manager = UndoManager()
      manager.groupsByEvent = false
      manager.registerUndo(withTarget: manager) { _ in }
    }
  }

  @Test func closingOrEnablingTooOftenIsFatal() async {
    await #expect(processExitsWith: .failure) { UndoManager().endUndoGrouping() }
    await #expect(processExitsWith: .failure) { UndoManager().enableUndoRegistration() }
  }

  @Test func undoInsideANestedGroupIsFatal() async {
    await #expect(processExitsWith: .failure) {
      let manager = UndoManager()
      manager.beginUndoGrouping()
      manager.undo()
    }
  }
}
