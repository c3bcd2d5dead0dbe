import Checking
import CoreData
import Scheduling

// One object for each ID, IDs that stay, and objects that are there or not, whichever way they are asked for.

extension AnythingClient {
  /// Gives an object its permanent ID before its save, which is the one that its row gets.
  func identify(_ actor: AnythingStep.Actor, _ name: Int) throws {
    try requireHeard(actor)
    let participant = participant(actor)
    try participant.context.performAndWait {
      guard participant.view.nodes[name] != nil, let object = try participant.find(name, participant.view) else {
        return
      }
      let before = object.objectID
      try participant.context.obtainPermanentIDs(for: [object])
      let id = object.objectID
      let what = "the permanent ID of \(name) in \(participant.name)"
      if id.isTemporaryID { try report(.wrongValue, what, expected: "permanent", seen: "temporary") }
      if !before.isTemporaryID, before != id {
        try report(.wrongValue, what, expected: "the one of before", seen: "\(id)")
      }
      if participant.context.registeredObject(for: id) !== object {
        try report(.duplicateRecord, what, expected: "registered with its object", seen: "another object, or none")
      }
      identified[name] = id.uriRepresentation()
      try check(participant, [name])
    }
  }

  /// Checks that rows have the IDs that their objects were given.
  func checkIdentified() throws {
    for (name, id) in identified.sorted(by: { $0.key < $1.key }) {
      guard let row = rows.id(of: name), file.nodes[name] != nil else { continue }
      session.count(\.valuesCompared)
      guard row != id else { continue }
      try report(
        .wrongValue, "the permanent ID of \(name)", expected: "\(id.lastPathComponent)",
        seen: "\(row.lastPathComponent)")
    }
  }

  /// Asks for an object in every way that takes an ID; in a block of the context.
  func checkIdentity(of object: NSManagedObject, named name: Int, in context: NSManagedObjectContext, _ place: String)
    throws
  {
    let id = object.objectID
    session.count(\.valuesCompared)
    func require(_ isRight: Bool, _ what: String) throws {
      guard !isRight else { return }
      try report(
        .duplicateRecord, "\(what) for the ID of \(name) in \(place)", expected: "the object itself", seen: "another")
    }
    try require(context.registeredObject(for: id) === object, "registeredObject(for:)")
    try require(context.object(with: id) === object, "object(with:)")
    try require(try context.existingObject(with: id) === object, "existingObject(with:)")
    if !id.isTemporaryID {
      let again = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id.uriRepresentation())
      if again != id {
        try report(.wrongValue, "the ID of \(name) in \(place)", expected: "\(id)", seen: "\(again as Any)")
      }
      if let row = rows.id(of: name), row != id.uriRepresentation() {
        try report(.wrongValue, "the ID of \(name) in \(place)", expected: "\(row)", seen: "\(id.uriRepresentation())")
      }
    } else if context.parent == nil, file.nodes[name] != nil {
      // A child keeps the ID that it knows until it reads the object again.
      try report(.temporaryIDEscaped, "the ID of \(name) in \(place)", expected: "permanent", seen: "temporary")
    }
    if object.isFault { try report(.wrongValue, "object \(name) in \(place)", expected: "realised", seen: "a fault") }
  }

  /// Checks that in a new context an object exists for its ID exactly when the file has its row; in a block of the context.
  func checkExistence(_ context: NSManagedObjectContext) throws {
    for name in rows.all where DrawnEdits.island(of: name) == island {
      guard let url = rows.id(of: name),
        let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
      else { continue }
      session.count(\.valuesCompared)
      do {
        let object = try context.existingObject(with: id)
        if file.nodes[name] == nil {
          try report(
            .resurrectedRecord, "existingObject(with:) for \(name)", expected: "133000: it is deleted",
            seen: "an object")
        } else if ContextPicture.name(of: object) != name {
          try report(
            .wrongValue, "existingObject(with:) for \(name)", expected: "\(name)",
            seen: "\(ContextPicture.name(of: object))")
        }
      } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
        if file.nodes[name] != nil {
          try report(.lostRecord, "existingObject(with:) for \(name)", expected: "an object", seen: "133000")
        }
      }
    }
  }

  /// Checks the object's own flags of its changes; in a block of the context, after its changes were processed.
  func checkFlags(of object: NSManagedObject, named name: Int, _ participant: Participant) throws {
    let (isInserted, isChanged) = (participant.inserted.contains(name), participant.changed.contains(name))
    func check(_ what: String, _ seen: Bool, _ expected: Bool) throws {
      session.count(\.valuesCompared)
      guard seen != expected else { return }
      try report(.wrongValue, "\(what) of \(name) in \(participant.name)", expected: "\(expected)", seen: "\(seen)")
    }
    try check("isInserted", object.isInserted, isInserted)
    try check("isDeleted", object.isDeleted, false)
    if isInserted || isChanged, !participant.disputed.contains(name) {
      try check("hasChanges", object.hasChanges, true)
    }
    try check("managedObjectContext", object.managedObjectContext === participant.context, true)
  }
}

extension AnythingClient {
  /// A fetch that reads the store on another thread finds the same as any fetch.
  ///
  /// Not in a block of the context: the answer comes on its queue.
  func askLater<Found: NSFetchRequestResult>(
    _ context: NSManagedObjectContext, _ request: NSFetchRequest<Found>, _ names: @escaping ([Found]) -> [Int]
  ) throws -> [Int] {
    let latch = Latch(label: "asynchronous fetch of client \(island)")
    let answer = Locked<Result<[Int], any Error>?>(nil)
    try context.performAndWait {
      let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        let outcome: Result<[Int], any Error> =
          result.operationError.map { .failure($0) } ?? .success(names(result.finalResult ?? []))
        answer.withLock { $0 = outcome }
        latch.open()
      }
      _ = try context.execute(later)
    }
    latch.wait()
    guard let outcome = answer.withLock({ $0 }) else { preconditionFailure("an open latch has an answer") }
    return try outcome.get()
  }
}
