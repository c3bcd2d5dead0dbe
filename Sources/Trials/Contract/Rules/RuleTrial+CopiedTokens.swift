import Cells
import Checking
import CoreData

// S2.2, S6.2, S6.3, S6.17, S10.1: a copy of a description of a store opens it in the same way; copies and archives of tokens name the
// same points and states, and copies of IDs and sort descriptors the same objects and orders.

extension RuleTrial {
  private func descriptionSettings() -> [Settable<NSPersistentStoreDescription>] {
    let urls = [newURL(), newURL(), nil]
    let all: [Settable<NSPersistentStoreDescription>] = [
      Settable("type", \.type, [NSSQLiteStoreType, NSInMemoryStoreType]),
      Settable("configuration", \.configuration, [nil, "One", "Other"]),
      Settable("url", \.url, urls),
      Settable("shouldAddStoreAsynchronously", \.shouldAddStoreAsynchronously, [false, true]),
      Settable("isReadOnly", \.isReadOnly, [false, true]),
      Settable("timeout", \.timeout, [1, 2.5, 240]),
      Settable("shouldMigrateStoreAutomatically", \.shouldMigrateStoreAutomatically, [true, false]),
      Settable("shouldInferMappingModelAutomatically", \.shouldInferMappingModelAutomatically, [true, false]),
      Settable(
        "history", ["nil", "1", "0"],
        set: { $0.setOption([nil, true as NSNumber, false as NSNumber][$1], forKey: NSPersistentHistoryTrackingKey) },
        text: { $0.options[NSPersistentHistoryTrackingKey].map { "\($0)" } ?? "nil" }),
      pragma("synchronous", ["nil", "FULL", "OFF"]), pragma("cache_size", ["nil", "100"]),
    ]
    return all
  }

  private func pragma(_ name: String, _ values: [String]) -> Settable<NSPersistentStoreDescription> {
    precondition(!values.isEmpty, "a pragma has values to be set to")
    return Settable(
      name, values,
      set: { $0.setValue($1 == 0 ? nil : values[$1] as NSString, forPragmaNamed: name) },
      text: { $0.sqlitePragmas[name].map { "\($0)" } ?? "nil" })
  }

  func copyStoreDescriptions() throws {
    try tryCopies(descriptionSettings(), "a description of a store") { NSPersistentStoreDescription(url: self.file) }
    let (first, second) = (NSPersistentStoreDescription(), NSPersistentStoreDescription())
    // An option that is set and taken back leaves nothing.
    for value in ["FULL" as NSString, nil] { second.setValue(value, forPragmaNamed: "synchronous") }
    try require(
      [first == second, first.hash == second.hash, first.url?.path == "/dev/null", first.type == NSSQLiteStoreType],
      [true, true, true, true], .wrongValue, "whether two descriptions of nothing in particular are equal")
    for isReadOnly in [false, true] { try openByCopy(isReadOnly) }
  }

  /// A container opens the copies of descriptions, while the originals are changed.
  private func openByCopy(_ isReadOnly: Bool) throws {
    let url = newURL()
    try withExtendedLifetime(try open(at: url)) {
      for store in $0.persistentStores { try $0.remove(store) }
    }
    let original = NSPersistentStoreDescription(url: url)
    (original.isReadOnly, original.timeout) = (isReadOnly, Double(1 + draw(9)))
    original.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    original.setOption("\(newNumber())" as NSString, forKey: "an option of the program's")
    let (expected, type) = (original.options, original.type)
    guard let copy = original.copy() as? NSPersistentStoreDescription else {
      return try report(.wrongValue, "the copy of a description", expected: "a description", seen: "none")
    }
    (original.isReadOnly, original.timeout, original.url) = (!isReadOnly, 0.5, newURL())
    note("a store is opened by the copy of a description, read-only \(isReadOnly)")
    let container = NSPersistentContainer(name: "copies \(newNumber())", managedObjectModel: RuleModel.shared)
    container.persistentStoreDescriptions = [copy]
    var errors: [(any Error)?] = []
    container.loadPersistentStores { errors.append($1) }
    let coordinator = container.persistentStoreCoordinator
    let store = coordinator.persistentStores.first
    try require(
      [errors.count == 1, errors.first.flatMap { $0 } == nil, store?.isReadOnly == isReadOnly, store?.type == type],
      [true, true, true, true], .wrongValue, "whether a store is opened as the copy of its description says")
    try require(store?.url, url, .wrongValue, "the place of a store that the copy of a description opened")
    try require(store?.options as? [String: NSObject], expected, .wrongValue, "the options of that store")
    let owner = context(coordinator)
    let error = owner.performAndWait {
      insertPlain(owner, rank: 1)
      let error = AnythingClient.error { try owner.save() }
      owner.reset()
      return error
    }
    try require(error != nil, isReadOnly, .failedSave, "whether a save of a store that a copy opened is refused")
    if let store { try coordinator.remove(store) }
  }

  // MARK: Tokens

  func copyTokens() throws {
    let coordinator = try open(at: newURL(), history: true)
    let owner = context(coordinator)
    var objects: [NSManagedObject] = []
    for _ in 0..<(2 + draw(4)) {
      try owner.performAndWait {
        objects.append(insertPlain(owner, rank: draw(4)))
        try save(owner)
      }
    }
    let all = try answer(.fetchHistory(after: NSPersistentHistoryToken?.none), coordinator)
    let transactions = all as? [NSPersistentHistoryTransaction] ?? []
    try require(transactions.count, objects.count, .historyDivergence, "transactions of as many saves")
    for (place, transaction) in transactions.enumerated() {
      let token = transaction.token
      let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
      for (other, text) in [(token.copy() as? NSPersistentHistoryToken, "copy"), (read, "archive")] {
        try require(
          [other == token, other?.hash == token.hash, other == transactions[(place + 1) % transactions.count].token],
          [true, true, false], .wrongValue, "whether the \(text) of a token is equal to it, and to the next one")
        let later = try answer(.fetchHistory(after: other), coordinator) as? [NSPersistentHistoryTransaction] ?? []
        try require(
          later.map(\.transactionNumber), transactions[(place + 1)...].map(\.transactionNumber), .historyDivergence,
          "transactions after the \(text) of a token")
      }
      let copy = transaction.copy() as? NSPersistentHistoryTransaction
      try require(
        [copy?.transactionNumber, copy?.changes?.first?.changeID],
        [transaction.transactionNumber, transaction.changes?.first?.changeID], .historyDivergence,
        "the copy of a transaction")
      let change = transaction.changes?.first?.copy() as? NSPersistentHistoryChange
      try require(
        change?.changedObjectID, objects[place].objectID, .historyDivergence, "the object of the copy of a change")
    }
    try copyGenerations(owner, coordinator)
    try copyNames(owner, objects)
  }

  /// The copy of a state's token names that state for another context; an archive has none of it.
  private func copyGenerations(
    _ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(owner.persistentStoreCoordinator === coordinator, "the generations are those of the owner's stores")
    let current = NSQueryGenerationToken.current
    let data = try NSKeyedArchiver.archivedData(withRootObject: current, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
    let (pinned, other) = (context(coordinator), context(coordinator))
    let before = try pinned.performAndWait { () -> Int in
      try pinned.setQueryGenerationFrom(read)
      return try all("Plain", pinned).count
    }
    guard let token = pinned.performAndWait({ pinned.queryGenerationToken }) else {
      return try report(.generationChange, "the token of a state", expected: "a token", seen: "none")
    }
    try owner.performAndWait {
      insertPlain(owner, rank: 9)
      try save(owner)
    }
    let copy = token.copy() as? NSQueryGenerationToken
    try require(
      [copy == token, copy?.hash == token.hash, read == current, read?.hash == current.hash, token == current],
      [true, true, true, true, false], .wrongValue, "whether copies of tokens of states are equal")
    let seen = try other.performAndWait { () -> Int in
      try other.setQueryGenerationFrom(copy)
      return try all("Plain", other).count
    }
    try require(seen, before, .generationChange, "objects by the copy of a state's token, after another save")
    let archived = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let none = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: archived)
    try require(none == nil, true, .wrongValue, "whether the archive of a state's token names no state")
  }

  /// IDs and sort descriptors: copies are equal, hash equally, and find and order the same.
  private func copyNames(_ owner: NSManagedObjectContext, _ objects: [NSManagedObject]) throws {
    precondition(!objects.isEmpty, "there are names to be copied")
    try owner.performAndWait {
      for (place, object) in objects.enumerated() {
        let id = object.objectID
        guard let copy = id.copy() as? NSManagedObjectID else { continue }
        try require(
          [copy == id, copy.hash == id.hash, copy == objects[(place + 1) % objects.count].objectID],
          [true, true, false],
          .wrongValue, "whether the copy of an ID is equal to it, and to the next one")
        try require(
          owner.object(with: copy) === object, true, .wrongValue, "whether the copy of an ID finds its object")
      }
      for key in ["rank", "number"] {
        let descriptor = NSSortDescriptor(key: key, ascending: chance(1, of: 2))
        let copy = descriptor.copy() as? NSSortDescriptor
        let reversed = descriptor.reversedSortDescriptor as? NSSortDescriptor
        try require(
          [
            copy == descriptor, copy?.hash == descriptor.hash, reversed == descriptor,
            reversed?.ascending == descriptor.ascending,
          ],
          [true, true, false, false], .wrongValue,
          "whether copies of a sort descriptor are equal, and its reverse is not")
        try require(copy?.key, key, .wrongValue, "the key of the copy of a sort descriptor")
        func order(_ descriptor: NSSortDescriptor?) throws -> [Int] {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
          request.sortDescriptors = [descriptor, NSSortDescriptor(key: "number", ascending: true)].compactMap { $0 }
          return try owner.fetch(request).map(RulePicture.number)
        }
        try require(try order(copy), try order(descriptor), .wrongValue, "an order by the copy of a sort descriptor")
      }
    }
  }
}
