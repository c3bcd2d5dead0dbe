import RowStore

extension NSManagedObjectContext {
  /// The validation of its unsaved changes.
  final var validation: SaveValidation { SaveValidation(of: self) }
}

/// The validation of a context's unsaved changes in a save.
struct SaveValidation {
  private let context: NSManagedObjectContext

  fileprivate init(of context: NSManagedObjectContext) { self.context = context }

  /// Checks every object to be saved by the model and its class, and that it refers to none that is gone.
  ///
  /// - Returns: whether a subclass changed objects while it was asked.
  func validateChanges() throws -> Bool {
    var lists = context.changes.lists
    context.saves.processed = []
    defer { context.saves.processed = nil }
    try validate(lists)
    guard isChanged else { return false }
    var known = lists.map { Set($0) }
    // Objects that a class changed meanwhile, and those that delete rules reach from them, are checked as well.
    repeat {
      try ChangeProcessing(of: context).run(followsDeletions: true)
      context.changes.clean()
      context.saves.processed = []
      lists = zip(context.changes.lists, known.indices).map { list, index in
        ContiguousArray(list.filter { known[index].insert($0).inserted })
      }
      try validate(lists)
    } while isChanged
    // An object that was found right may have been changed by one that was asked later.
    var errors = ValidationErrors()
    validateAgain(&errors)
    for object in context.changes.inserted + context.changes.updated { validateReferences(object, &errors) }
    try errors.throwIfAny()
    return true
  }

  /// Whether a class that was asked has changed something, which it may have had processed.
  private var isChanged: Bool { context.changes.hasPending || context.saves.processed?.isEmpty == false }

  /// Checks objects by the model again. A class that has methods of its own is asked only where the model finds something.
  private func validateAgain(_ errors: inout ValidationErrors) {
    for object in context.changes.inserted + context.changes.updated where !object.isPlainlyValid {
      var found = ValidationErrors()
      object.collectErrors([], &found)
      if !found.errors.isEmpty { validate(object, &errors) }
    }
  }

  /// Checks inserted, updated and deleted objects.
  private func validate(_ lists: [ContiguousArray<NSManagedObject>]) throws {
    precondition(lists.count == 3, "changes are inserted, updated and deleted objects")
    var errors = ValidationErrors()
    let isDeleting = !context.changes.deleted.isEmpty
    func isToBeChecked(_ object: NSManagedObject) -> Bool {
      (!object.isPlainlyValid || isDeleting && !object.relations.isEmpty && object.layout.hasToMany)
        && !object.isLeaving
    }
    for list in lists[..<2] {
      var index = 0
      while let next = list.firstIndexBorrowed(from: index, where: isToBeChecked) {
        let object = list[next]
        index = next + 1
        validate(object, &errors)
        // Delete rules are followed first where a class has deleted something.
        if !isChanged { validateReferences(object, &errors) }
      }
    }
    lists[2].forEachBorrowed { object in
      if object.validationHooks.contains(.validateForDelete) { errors.collect { try object.validateForDelete() } }
    }
    // A merge, or a fault without a row, takes obstacles away without any change to process.
    try DeleteRules(in: context).recheckDenials()
    for denied in context.changes.unsettled.denied
    where !denied.obstacles.isEmpty && !denied.object.validationHooks.contains(.validateForDelete) {
      errors.append(denied.error)
    }
    try errors.throwIfAny()
  }

  /// Asks the class of an inserted or changed object, or the model where the class has no method of its own.
  private func validate(_ object: NSManagedObject, _ errors: inout ValidationErrors) {
    let hooks = object.validationHooks
    let isNew = object.state.contains(.inserted)
    guard hooks.contains(isNew ? .validateForInsert : .validateForUpdate) else {
      return object.collectErrors(hooks, &errors)
    }
    errors.collect { try isNew ? object.validateForInsert() : object.validateForUpdate() }
  }

  /// Checks again the parts that a merge policy may have changed after the validation: relationships that were emptied because
  /// an object is gone, and deletions that a deny rule forbids.
  func validateResolution() throws {
    precondition(context.saves.isUnderWay, "a merge policy decides inside a save")
    var errors = ValidationErrors()
    validateAgain(&errors)
    try DeleteRules(in: context).recheckDenials()
    for denied in context.changes.unsettled.denied where !denied.obstacles.isEmpty {
      if denied.object.validationHooks.contains(.validateForDelete) {
        errors.collect { try denied.object.validateForDelete() }
      } else {
        errors.append(denied.error)
      }
    }
    try errors.throwIfAny()
  }

  /// Refuses a save that would leave a key in the file that no row has: a relationship set to an object that is gone, or that
  /// this save deletes.
  private func validateReferences(_ object: NSManagedObject, _ errors: inout ValidationErrors) {
    guard !object.relations.isEmpty else { return }
    for index in object.layout.toOneIndices where object.changed.contains(index) {
      let property = object.layout.properties[index]
      // An object that came back under the ID takes the place of the one that is gone.
      guard case .one(let known) = object.relations[property.relation.position], known.isLeaving,
        let target = object.toOne(property), target.isLeaving
      else { continue }
      // References in the row already are for delete rules to decide; one that they cleared here may have been set again.
      let mayBeSetAgain = target.state.contains(.deleted) && property.relation.inverse?.relation.deleteRule == .nullify
      guard mayBeSetAgain || object.state.contains(.inserted) || object.isReallyChanged(property) else { continue }
      errors.append(danglingReference(of: object, property, to: target))
    }
    guard object.layout.hasJoins || !context.changes.deleted.isEmpty else { return }
    for property in object.layout.relationships where object.changed.contains(property.index) {
      // A member that is gone is no error where only its own row would name this object.
      let isJoin = property.relation.inverse?.relation.isToMany ?? true
      guard let known = object.knownToMany(property) else { continue }
      // A deleted member that only the store has was brought by another's save: the deletion's rules are for it.
      for target in known.additions
      where target.state.contains(.deleted)
        || isJoin && target.state.contains(.gone) && known.change(of: target) == .added
      {
        errors.append(danglingReference(of: object, property, to: target))
      }
    }
  }

  private func danglingReference(
    of object: NSManagedObject, _ property: PropertyLayout, to target: NSManagedObject
  ) -> NSError {
    NSError.coreData(
      NSManagedObjectValidationError,
      "Dangling reference to an invalid object: \(object.layout.name).\(property.name) leads to \(target.objectID), "
        + "which is deleted; set it to another object or nil.",
      userInfo: [
        NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: property.name, NSValidationValueErrorKey: target,
      ])
  }
}
