import Checking
import CoreData

// Values that must be unique: a save that repeats one is decided by the merge policy; values may change places in one save.

extension AnythingClient {
  /// Gives an author a code of its island, which another may have, and saves.
  func code(_ name: Int, _ value: Int) throws {
    guard let code = DrawnValue.text(DrawnValue.value(.stringAttributeType, value)) else { return }
    try prepareConstraint()
    guard let node = own.view.nodes[name], node.values[DrawnModel.code] != code, model.isKind(node.entity, of: "Author")
    else { return }
    let holder = own.view.nodes.first { $0.value.values[DrawnModel.code] == code }?.key
    try own.context.performAndWait {
      try own.find(name, own.view)?.setValue(code, forKey: DrawnModel.code)
      own.view.set(name, DrawnModel.code, code)
      own.context.processPendingChanges()
    }
    guard let holder else { return try saveOwn() }
    precondition(!child.hasChanges, "a child with changes would meet the policy's decision")
    _ = notices[.own]?.drainSaves()
    let error = own.context.performAndWait { Self.error { try own.context.save() } }
    if let error, session.faults.explains(error) { return try takeBack(node.values[DrawnModel.code], of: name) }
    guard policy != .errorMergePolicyType else {
      guard error?.code == NSManagedObjectConstraintMergeError else {
        return try report(
          .duplicateRecord, "a save of \(own.name) that repeats a code", expected: "refused with 133021",
          seen: error.map { "\($0.code)" } ?? "saved")
      }
      try checkRefused(.own)
      try checkFile()
      return try takeBack(node.values[DrawnModel.code], of: name)
    }
    // The holder is deleted for the new one, and its delete rules are followed.
    var expected = own.view
    if !isKeepingStore, file.nodes[name] != nil { expected.delete(holder) }
    if let error {
      if !expected.denied.isEmpty,
        [NSValidationRelationshipDeniedDeleteError, NSValidationMultipleErrorsError].contains(error.code)
      {
        return try takeBack(node.values[DrawnModel.code], of: name)
      }
      try report(
        .failedSave, "a save of \(own.name) that repeats a code", expected: "decided by the merge policy",
        seen: "\(error.code): \(error.localizedDescription)")
    }
    if let save = inbox.takeOwn() { forwardToMain(save) }
    try settleConstraint(name, holder, expected)
  }

  /// Lets two authors exchange their codes in one save.
  func exchange(_ first: Int, _ second: Int) throws {
    try prepareConstraint()
    guard first != second, let one = own.view.nodes[first], let other = own.view.nodes[second],
      one.values[DrawnModel.code] != nil || other.values[DrawnModel.code] != nil,
      model.isKind(one.entity, of: "Author"), model.isKind(other.entity, of: "Author")
    else { return }
    precondition(!child.hasChanges, "a child with changes would meet what its parent exchanges")
    try own.context.performAndWait {
      for (name, code) in [(first, other.values[DrawnModel.code]), (second, one.values[DrawnModel.code])] {
        try own.find(name, own.view)?.setValue(code, forKey: DrawnModel.code)
        own.view.set(name, DrawnModel.code, code)
      }
    }
    try saveOwn()
  }

  private var policy: NSMergePolicyType {
    (own.context.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
  }

  /// Brings the own context up to date, and drops its unsaved codes and the child's changes.
  private func prepareConstraint() throws {
    try requireHeard(.own)
    try settleContested(own)
    if child.hasChanges { try rollBack(.child) }
    let hasUnsavedCode = own.view.nodes.contains { name, node in
      node.values[DrawnModel.code] != file.nodes[name]?.values[DrawnModel.code]
    }
    if hasUnsavedCode { try rollBack(.own) }
  }

  private func takeBack(_ code: String?, of name: Int) throws {
    try own.context.performAndWait {
      try own.find(name, own.view)?.setValue(code, forKey: DrawnModel.code)
      own.view.set(name, DrawnModel.code, code)
      try checkAll(own)
    }
  }

  /// Checks that one object has the code now: the policy decides which one, and its values; all others are as saved.
  ///
  /// - Parameter all: the objects afterwards, but for these two.
  private func settleConstraint(_ name: Int, _ holder: Int, _ all: ObjectGraph) throws {
    precondition(name != holder, "an object does not repeat its own code")
    let picture = try FilePicture(reader)
    let seen = picture.graph(of: island)
    let (winner, loser) = isKeepingStore ? (holder, name) : (name, holder)
    let wasInserted = file.nodes[name] == nil
    let what = "a save of \(own.name) in which \(name) repeats the code of \(holder)"
    // A rule of the holder's deletion may reach the other.
    if seen.nodes[winner] == nil, isKeepingStore || all.nodes[winner] != nil {
      try report(.lostRecord, what, expected: "\(winner) keeps it", seen: "no row of \(winner)")
    }
    if (seen.nodes[loser] != nil) != (isKeepingStore && !wasInserted) {
      try report(
        .duplicateRecord, what, expected: isKeepingStore && !wasInserted ? "\(loser) stays" : "no row of \(loser)",
        seen: seen.nodes[loser] == nil ? "no row" : "a row")
    }
    for other in Set(all.nodes.keys).union(seen.nodes.keys).subtracting([name, holder]).sorted() {
      guard let expected = all.nodes[other], let row = seen.nodes[other] else {
        try report(.wrongWinner, what, expected: "\(other) is as it was saved", seen: "its presence differs")
        continue
      }
      try check(row, what, other) { expected.values[$0] }
    }
    for survivor in [winner, loser] {
      guard let row = seen.nodes[survivor] else { continue }
      try check(row, what, survivor) { self.value($0, of: survivor, name, holder) }
    }
    try checkWhole(picture)
    for lost in [name, holder] where seen.nodes[lost] == nil { identified[lost] = nil }
    try adopt(picture)
    inbox.clear()
    own.start(from: file)
    heardVersions = versions
    own.releaseAll()
    try own.context.performAndWait { try checkAll(own) }
    try reset(.child)
    // Objects have another's number now, which is no change of those that lead to them.
    own.context.performAndWait { _ = notices[.own]?.drainUnnamed() }
  }

  private var isKeepingStore: Bool {
    policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .rollbackMergePolicyType
  }

  /// The expected attribute of one of both.
  private func value(_ attribute: String, of survivor: Int, _ name: Int, _ holder: Int) -> String? {
    precondition(survivor == name || survivor == holder, "one of the two that have the code gives the value")
    let (mine, stored) = (own.view.nodes[survivor]?.values[attribute], file.nodes[survivor]?.values[attribute])
    // An inserted object gives a row its values; its entity may have fewer.
    if survivor == name, file.nodes[name] == nil, let entity = own.view.nodes[name]?.entity,
      !model.entity(entity).attributes.contains(attribute)
    {
      return own.view.nodes[holder]?.values[attribute]
    }
    switch policy {
    case .rollbackMergePolicyType: return survivor == name ? stored : mine
    case .mergeByPropertyStoreTrumpMergePolicyType: return attribute == DrawnModel.code ? stored : mine
    case .mergeByPropertyObjectTrumpMergePolicyType where file.nodes[name] == nil:
      // An attribute that was never set keeps the row's value.
      return mine ?? file.nodes[holder]?.values[attribute]
    default: return mine
    }
  }

  private func check(_ row: ObjectGraph.Node, _ what: String, _ name: Int, _ expected: (String) -> String?) throws {
    for attribute in model.entity(row.entity).attributes where FilePicture.shows(attribute, model) {
      session.count(\.valuesCompared)
      guard row.values[attribute] != expected(attribute) else { continue }
      try report(
        .wrongWinner, what, expected: "\(attribute) of \(name) is \(ObjectGraph.text(expected(attribute)))",
        seen: ObjectGraph.text(row.values[attribute]))
    }
  }
}
