import Cells
import Checking
import CoreData

// S2.3, S2.7, S3.1, S3.3, S3.5, S6.2, S6.3, S7.1, S7.4, S10.1: each code of an error by all of its names; and operations that fail:
// their errors have the code, the domain and the keys that say what they are about, and are caught by each name.

extension RuleTrial {
  func codes() throws {
    try requireNames()
    for failure in shuffled(try failures() + storeFailures()) { try fail(failure) }
    try failTogether()
  }

  /// Every code has its number under each of its names.
  private func requireNames() throws {
    for names in CodeNames.all {
      try require(
        [names.constant, names.code.rawValue, names.short.rawValue], [names.number, names.number, names.number],
        .wrongValue, "the code \(names.number) by its names")
      let error = NSError(domain: NSCocoaErrorDomain, code: names.number) as any Error
      try require(
        CodeNames.all.filter { $0.short ~= error }.map(\.number), [names.number], .wrongValue,
        "the names that catch \(names.number)")
    }
    let rest = [
      (NSManagedObjectConstraintValidationError, 1_551), (NSValidationInvalidURIError, 1_690),
      (NSMigrationConstraintViolationError, 134_111), (NSPersistentHistoryTokenExpiredError, 134_301),
    ]
    for (seen, number) in rest { try require(seen, number, .wrongValue, "the code \(number)") }
  }

  // MARK: Failures

  /// An operation that fails.
  private struct Failure {
    let name: String
    let code: CocoaError.Code
    /// The property of a validation.
    var key: String?
    let body: () throws -> Void
  }

  private func fail(_ failure: Failure) throws {
    precondition(!failure.name.isEmpty, "a failure that does not happen is reported by its name")
    do {
      try failure.body()
      return try report(.wrongValue, failure.name, expected: "\(failure.code.rawValue)", seen: "no error")
    } catch let error as Broken {
      throw error
    } catch {
      let (bridged, cocoa) = (error as NSError, error as? CocoaError)
      note("\(failure.name): \(bridged.code)")
      try require(bridged.domain, NSCocoaErrorDomain, .wrongValue, "the domain of the error of \(failure.name)")
      try require(
        [bridged.code, cocoa?.code.rawValue], [failure.code.rawValue, failure.code.rawValue], .wrongValue,
        "the code of the error of \(failure.name)")
      try require(
        CodeNames.all.filter { $0.short ~= error }.map(\.number),
        CodeNames.all.map(\.number).filter { $0 == failure.code.rawValue }, .wrongValue,
        "the names that catch the error of \(failure.name)")
      try require(
        [bridged.localizedDescription.isEmpty, bridged.localizedDescription.contains("The operation couldn")],
        [false, false], .wrongValue, "whether the error of \(failure.name) says nothing")
      guard let key = failure.key else { return }
      try require(
        bridged.userInfo[NSValidationKeyErrorKey] as? String, key, .wrongValue,
        "the key of the error of \(failure.name)"
      )
      try require(
        bridged.userInfo[NSValidationObjectErrorKey] is NSManagedObject, true, .wrongValue,
        "whether the error of \(failure.name) has its object")
    }
  }

  // MARK: Objects

  /// Failures of validations and saves, each in a context of its own.
  private func failures() throws -> [Failure] {
    let coordinator = try open(CodesModel.shared)
    let values: [(String, Any?, CocoaError.Code)] = [
      ("count", 1 - draw(5), .validationNumberTooSmall), ("count", 10 + draw(5), .validationNumberTooLarge),
      ("text", "a", .validationStringTooShort),
      ("text", String(repeating: "a", count: 7 + draw(3)), .validationStringTooLong),
      ("word", "\(draw(9))", .validationStringPatternMatching),
      ("day", CodesModel.day(-1 - draw(9)), .validationDateTooSoon),
      ("day", CodesModel.day(11), .validationDateTooLate),
      ("needed", nil, .validationMissingMandatoryProperty), ("odd", 2 * draw(5), .managedObjectValidation),
    ]
    var failures = values.map { key, value, code in
      Failure(name: "\(key) = \(RulePicture.text(value))", code: code, key: key) { [self] in
        try alone(coordinator) { ruled, owner in
          ruled.setValue(value, forKey: key)
          if chance(1, of: 2) { return try owner.save() }
          if chance(1, of: 2) { return try ruled.validateForInsert() }
          var checked: AnyObject? = value as AnyObject?
          if value == nil { checked = nil }
          try ruled.validateValue(&checked, forKey: key)
        }
      }
    }
    let counts: [(Int, CocoaError.Code)] = [
      (1, .validationRelationshipLacksMinimumCount), (5, .validationRelationshipExceedsMaximumCount),
    ]
    failures += counts.map { count, code in
      Failure(name: "\(count) parts", code: code, key: "parts") { [self] in
        try alone(coordinator) { ruled, owner in
          let parts = (0..<count).map { _ in part(owner) }
          ruled.setValue(Set(parts), forKey: "parts")
          try owner.save()
        }
      }
    }
    failures.append(
      Failure(name: "a deletion that is denied", code: .validationRelationshipDeniedDelete, key: "parts") { [self] in
        try alone(coordinator) { ruled, owner in
          ruled.setValue(Set([part(owner), part(owner)]), forKey: "parts")
          try owner.save()
          owner.delete(ruled)
          try owner.save()
        }
      })
    return failures + meetings(coordinator)
  }

  /// Failures for which two contexts are needed.
  private func meetings(_ coordinator: NSPersistentStoreCoordinator) -> [Failure] {
    [
      Failure(name: "a conflict", code: .managedObjectMerge) { [self] in
        try alone(coordinator) { ruled, owner in
          try owner.save()
          ruled.setValue(3, forKey: "count")
          let other = context(coordinator)
          try other.performAndWait {
            other.object(with: ruled.objectID).setValue(4, forKey: "count")
            try other.save()
          }
          try owner.save()
        }
      },
      Failure(name: "a value that is not unique", code: .managedObjectConstraintMerge) { [self] in
        try alone(coordinator) { ruled, owner in
          try owner.save()
          let second = new(owner)
          second.setValue(ruled.value(forKey: "number"), forKey: "number")
          try owner.save()
        }
      },
      Failure(name: "an object that is gone", code: .managedObjectReferentialIntegrity) { [self] in
        try alone(coordinator) { ruled, owner in
          try owner.save()
          let id = ruled.objectID
          owner.delete(ruled)
          try owner.save()
          let other = context(coordinator)
          _ = try other.performAndWait { try other.existingObject(with: id) }
        }
      },
      Failure(name: "a request to save", code: .persistentStoreUnsupportedRequestType) { [self] in
        try alone(coordinator) { _, owner in
          _ = try owner.execute(NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil))
        }
      },
      Failure(name: "a fetch of a key that is not there", code: .coreData) { [self] in
        try alone(coordinator) { _, owner in
          let request = NSFetchRequest<NSManagedObject>(entityName: "Ruled")
          request.predicate = NSPredicate(format: "stranger == 1")
          _ = try owner.fetch(request)
        }
      },
      Failure(name: "a fetch of no entity", code: .coreData) { [self] in
        try alone(coordinator) { _, owner in
          _ = try owner.fetch(NSFetchRequest<NSManagedObject>(entityName: "Stranger"))
        }
      },
    ]
  }

  /// Several at once are one error, which has each of them.
  private func failTogether() throws {
    let coordinator = try open(CodesModel.shared, at: newURL())
    let broken: [(String, Any?, CocoaError.Code)] = [
      ("count", 0, .validationNumberTooSmall), ("text", "a", .validationStringTooShort),
      ("needed", nil, .validationMissingMandatoryProperty), ("day", CodesModel.day(12), .validationDateTooLate),
    ]
    precondition(Set(broken.map(\.0)).count == broken.count, "each value breaks a rule of another property")
    let chosen = Array(shuffled(broken).prefix(2 + draw(3)))
    note("all at once: \(chosen.map(\.0))")
    let error = try alone(coordinator) { ruled, owner -> (any Error)? in
      for (key, value, _) in chosen { ruled.setValue(value, forKey: key) }
      return AnythingClient.error { try owner.save() }
    }
    try require(
      (error as? CocoaError)?.code, .validationMultipleErrors, .wrongValue, "the error of several values at once")
    let parts = Self.parts(of: error as NSError?)
    try require(
      Set(parts.map { "\($0.userInfo[NSValidationKeyErrorKey] ?? "") \($0.code)" }),
      Set(chosen.map { "\($0.0) \($0.2.rawValue)" }), .wrongValue, "the errors in that of several values")
    try require(parts.count, chosen.count, .wrongValue, "how many errors there are in that of several values")
  }

  /// Does something with a new object that is as it should be, in a context of its own.
  private func alone<Result>(
    _ coordinator: NSPersistentStoreCoordinator,
    _ body: (NSManagedObject, NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let owner = context(coordinator)
    return try owner.performAndWait {
      defer { owner.reset() }
      return try body(new(owner), owner)
    }
  }

  private func new(_ owner: NSManagedObjectContext) -> NSManagedObject {
    let object = insertNumbered("Ruled", owner)
    object.setValue("needed", forKey: "needed")
    return object
  }

  private func part(_ owner: NSManagedObjectContext) -> NSManagedObject { insertNumbered("Part", owner) }

  // MARK: Stores

  private func storeFailures() throws -> [Failure] {
    let (url, coordinator) = (newURL(), NSPersistentStoreCoordinator(managedObjectModel: RuleModel.shared))
    _ = try open(CodesModel.shared, at: url)
    func add(_ type: String, _ options: [AnyHashable: Any]? = nil, configuration: String? = nil) throws {
      let store = try coordinator.addPersistentStore(
        ofType: type, configurationName: configuration, at: url, options: options)
      try coordinator.remove(store)
    }
    let readOnly = try open(CodesModel.shared, at: url, [NSReadOnlyPersistentStoreOption: true as NSNumber])
    let history = try open(at: newURL(), history: true)
    return [
      Failure(name: "a type of no store", code: .persistentStoreInvalidType) { try add("Stranger") },
      Failure(name: "a binary store", code: .persistentStoreInvalidType) { try add(NSBinaryStoreType) },
      Failure(name: "a configuration that is not there", code: .persistentStoreInvalidType) {
        try add(NSSQLiteStoreType, configuration: "Stranger")
      },
      Failure(name: "another model", code: .persistentStoreIncompatibleVersionHash) { try add(NSSQLiteStoreType) },
      Failure(name: "another model, to be migrated", code: .migrationMissingSourceModel) {
        try add(NSSQLiteStoreType, [NSMigratePersistentStoresAutomaticallyOption: true as NSNumber])
      },
      Failure(name: "a pragma of two words", code: .persistentStoreOpen) {
        try add(NSInMemoryStoreType)
        try add(NSSQLiteStoreType, [NSSQLitePragmasOption: ["synchronous": "FULL; DROP"] as NSDictionary])
      },
      Failure(name: "a save of a store that is only read", code: .persistentStoreSave) { [self] in
        try alone(readOnly) { _, owner in try owner.save() }
      },
      Failure(name: "a store that is not open here", code: .persistentStoreOperation) {
        guard let store = readOnly.persistentStores.first else { return }
        try coordinator.remove(store)
      },
      Failure(
        name: "a token of a history that is gone", code: .init(rawValue: NSPersistentHistoryTokenExpiredError)
      ) { [self] in
        let owner = context(history)
        try owner.performAndWait {
          for _ in 0..<3 {
            insertPlain(owner)
            try owner.save()
          }
          let all = try owner.execute(
            NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none))
          let transactions = (all as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
          _ = try owner.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: transactions.last))
          _ = try owner.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: transactions.first))
        }
      },
    ]
  }
}
