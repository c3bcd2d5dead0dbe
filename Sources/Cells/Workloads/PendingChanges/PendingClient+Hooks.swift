import CoreData
import Scenarios

// The hook calls of the own context's objects: workbooks and their sheets, which are no part of the notebook.
//
// Expected are the calls of Apple's page of each method, as the contract has it: S2.7 for the calls, S3.1 for their order in a
// save, S2.8 for an object's own changes, S8.3 for deletions.

extension PendingClient {
  /// Calls of an object in a save, with the two that depend on its fate there.
  private static func calls(_ fate: String, _ validation: String) -> [String] {
    ["willSave \(fate)", validation, "didSave"]
  }
  static let callsOfInsert = ["awakeFromInsert"] + calls("inserted", "validateForInsert")
  static let callsOfUpdate = calls("updated", "validateForUpdate")
  static let callsOfDelete = ["prepareForDeletion"] + calls("deleted", "validateForDelete")
  static let phasesOfSave = ["WillSave", "willSave", "validation", "didSave", "DidSave"]

  /// Inserts, reads, refreshes, changes, deletes and undoes objects that look at themselves as they are called.
  func callHooks() throws {
    let book = try insertHooked()
    try readHooked(book)
    try refreshHooked(book)
    try updateHooked(book)
    try refuseHooked(book)
    try deleteHooked(book)
    try deleteInWillSave()
    try undoHooked()
  }

  // MARK: Work of hooks

  /// The reaction to `willSave`: a sheet keeps the total of its workbook, a workbook its title.
  func sumUp(_ object: HookedObject) {
    guard isSummingUp, !object.isDeleted else { return }
    if let book = (object as? Worksheet)?.workbook, !book.isDeleted {
      let total = book.sheets.reduce(0) { $0 + $1.pages }
      if book.total != total { book.total = total }
    }
    if let book = object as? Workbook {
      let title = "\(book.total) pages"
      if book.title != title { book.title = title }
    }
  }

  /// The checks in `didSave`: the object is clean, and the file has it as it is.
  func lookSaved(_ object: HookedObject) {
    compare(object.objectID.isTemporaryID, with: false, "whether didSave sees a temporary ID")
    compare(object.hasChanges, with: false, "whether didSave sees unsaved changes")
    compare(object.changedValues().keys.sorted(), with: [], "changed values as didSave sees them")
    let (id, stored) = (object.objectID, object.stored)
    look { context in
      let saved = try? context.existingObject(with: id) as? HookedObject
      compare(saved?.stored, with: stored, "an object in the file while its didSave is called")
    }
  }

  /// Looks with another context.
  func look(_ body: (NSManagedObjectContext) throws -> Void) {
    do { try saveDirectly(body) } catch { session.fail(error) }
  }

  /// Saves the own context, with the save's notifications in the log.
  func save(_ log: HookLog) throws {
    let names: [(Notification.Name, String)] = [
      (.NSManagedObjectContextWillSave, "WillSave"), (.NSManagedObjectContextDidSave, "DidSave"),
    ]
    let observers = names.map { name, event in
      session.environment.addObserver(forName: name, object: own) { _ in log.note(event) }
    }
    defer { observers.forEach(session.environment.removeObserver) }
    try log.record(own) { try own.save() }
  }

  /// Inserts a workbook with sheets of one page each; in a block of the own context.
  func addBook(sheets count: Int) -> (book: Workbook, sheets: [Worksheet]) {
    precondition(count >= 0, "a workbook has sheets, or none")
    let book = Workbook(context: own)
    book.number = reserveWords(1)
    let sheets = (0..<count).map { _ in addSheet(to: book) }
    return (book, sheets)
  }

  func addSheet(to book: Workbook) -> Worksheet {
    precondition(book.managedObjectContext === own, "a sheet is made where its workbook is")
    let sheet = Worksheet(context: own)
    sheet.number = reserveWords(1)
    sheet.workbook = book
    return sheet
  }

  /// The three sheets of a workbook.
  func sheets(of book: Workbook) throws -> [Worksheet] {
    let sheets = book.sheets
    guard sheets.count == 3 else {
      throw UnexpectedAnswer(subject: "sheets", expected: "3", seen: "\(sheets.count)")
    }
    return sheets
  }

  static func book(_ id: NSManagedObjectID, in context: NSManagedObjectContext) throws -> Workbook {
    guard let book = context.object(with: id) as? Workbook else {
      throw UnexpectedAnswer(subject: "\(id)", expected: "a workbook", seen: "none")
    }
    return book
  }

  // MARK: Steps

  /// New objects have their defaults in `awakeFromInsert`, which is called once; values that it and `willSave` set are saved.
  private func insertHooked() throws -> Workbook {
    try own.performAndWait {
      let log = HookLog(
        [
          .awakeFromInsert: { [self] object in
            if let book = object as? Workbook {
              compare(book.stored, with: HookedModel.defaults, "values of a new object as awakeFromInsert sees them")
            } else {
              object.remark = "made"
            }
            compare(object.isInserted, with: true, "whether awakeFromInsert sees its object as inserted")
          },
          .willSave: sumUp, .didSave: lookSaved,
          .validateForInsert: { [self] object in
            guard let book = object as? Workbook else { return }
            compare(book.title, with: "3 pages", "a value that willSave set, as validateForInsert sees it")
          },
        ], forgetting: forgottenHook)
      let (book, sheets) = log.record(own) { addBook(sheets: 3) }
      try save(log)
      compare(log.steps(of: book), with: Self.callsOfInsert, "calls of a new object that willSave changes")
      for sheet in sheets { compare(log.calls(of: sheet), with: Self.callsOfInsert, "calls of a new object") }
      log.clear()
      try save(log)
      compare(log.phases, with: ["WillSave", "DidSave"], "calls of a save without changes")
      return book
    }
  }

  /// Another context reads the inserted objects: `awakeFromFetch` is called once for each fault that is filled, and values
  /// that it sets are no change.
  private func readHooked(_ book: Workbook) throws {
    let (id, numbers) = own.performAndWait { (book.objectID, book.sheets.map(\.number)) }
    try saveDirectly { context in
      let log = HookLog([
        .awakeFromFetch: { [self] object in
          compare(object.isFault, with: false, "whether awakeFromFetch sees a fault")
          object.shown = "read"
          guard let sheet = object as? Worksheet else { return }
          compare(sheet.remark, with: "made", "a value that awakeFromInsert set, in the file")
          sheet.remark = "read"
        }
      ])
      try log.record(context) {
        let found = try Self.book(id, in: context)
        compare(log.calls(of: found), with: [], "calls of a fault")
        compare([found.title, found.shown], with: ["3 pages", "read"], "values that willSave and awakeFromFetch set")
        let untouched = HookedModel.defaults.filter { !$0.hasPrefix("t") && !$0.hasPrefix("number") }
        compare(found.stored.filter(untouched.contains), with: untouched, "defaults in the file")
        compare(found.sheets.map(\.number), with: numbers, "members in their order, in the file")
        compare(found.sheets.map(\.remark), with: ["read", "read", "read"], "values that awakeFromFetch set")
        compare(context.hasChanges, with: false, "whether what awakeFromFetch sets is a change")
        let request = NSFetchRequest<Worksheet>(entityName: "Worksheet")
        request.predicate = NSPredicate(format: "workbook == %@", found)
        for object in [found] + (try context.fetch(request)) {
          compare(log.calls(of: object), with: ["awakeFromFetch"], "calls of an object that was read")
        }
      }
    }
  }

  /// An object becomes a fault and is read again, gets another writer's values beneath its change, and is rolled back.
  private func refreshHooked(_ book: Workbook) throws {
    let id = own.performAndWait { book.objectID }
    let log = HookLog([
      .willTurnIntoFault: { [self] object in
        compare(object.isFault, with: false, "whether willTurnIntoFault sees a fault")
        compare((object as? Workbook)?.title, with: "3 pages", "a value as willTurnIntoFault reads it")
      },
      .didTurnIntoFault: { [self] in compare($0.isFault, with: true, "whether didTurnIntoFault sees a fault") },
      .awakeFromFetch: { $0.shown = "read" },
      .awakeFromSnapshotEvents: { $0.shown = $0.remark ?? "no remark" },
    ])
    own.performAndWait {
      log.record(own) {
        own.refresh(book, mergeChanges: false)
        compare(
          log.calls(of: book), with: ["willTurnIntoFault", "didTurnIntoFault"], "calls of an object made a fault")
        log.clear()
        compare(book.title, with: "3 pages", "a value that is read again")
        compare(log.calls(of: book), with: ["awakeFromFetch"], "calls of an object that is read again")
        compare(book.shown, with: "read", "a transient value that awakeFromFetch set")
        compare(own.hasChanges, with: false, "whether what awakeFromFetch sets is a change")
        book.remark = "mine"
      }
      log.clear()
    }
    try saveDirectly { try Self.book(id, in: $0).setValue(5, forKey: "copies") }
    own.performAndWait {
      log.record(own) {
        own.refresh(book, mergeChanges: true)
        let awoken = log.calls(of: book).filter { $0.hasPrefix("awake") }
        compare(awoken, with: ["awakeFromSnapshotEvents refresh"], "calls of an object with changes that is refreshed")
        compare(
          book.values(["copies", "remark", "shown"]), with: ["copies: 5", "remark: mine", "shown: mine"],
          "values of an object with changes that is refreshed")
        log.clear()
        own.rollback()
        let back = log.calls(of: book).filter { $0.hasPrefix("awake") }
        compare(back, with: ["awakeFromSnapshotEvents rollback"], "calls of an object that is rolled back")
        compare(book.shown, with: "no remark", "a transient value that awake(fromSnapshotEvents:) set")
        compare(own.hasChanges, with: false, "changes after a rollback that awakes objects")
      }
    }
  }

  /// A change that one object's `willSave` hands on to another one, and this one to itself: each is saved.
  private func updateHooked(_ book: Workbook) throws {
    try own.performAndWait {
      let sheets = try self.sheets(of: book)
      let log = HookLog(
        [
          .willSave: { [self] object in
            if object === sheets[0] {
              compare(object.changedValues().keys.sorted(), with: ["pages"], "changed values as willSave sees them")
              let old = object.committedValues(forKeys: ["pages"])["pages"] as? NSNumber
              compare(old, with: 1, "a committed value as willSave sees it")
            }
            sumUp(object)
          },
          .validateForUpdate: { [self] object in
            compare(book.title, with: "12 pages", "a value that willSave set, as validateForUpdate sees it")
          },
          .didSave: lookSaved,
        ], forgetting: forgottenHook)
      compare(sheets.map(\.pages), with: [1, 1, 1], "values before a change")
      sheets[0].pages = 10
      try save(log)
      compare(log.calls(of: sheets[0]), with: Self.callsOfUpdate, "calls of a changed object")
      compare(log.steps(of: book), with: Self.callsOfUpdate, "calls of an object that another one's willSave changed")
      for sheet in sheets.dropFirst() { compare(log.calls(of: sheet), with: [], "calls of an object without changes") }
      compare(log.phases, with: Self.phasesOfSave, "the order of a save's calls")
      let id = book.objectID
      try saveDirectly { context in
        let saved = try Self.book(id, in: context)
        compare(
          [saved.title, "\(saved.total)"], with: ["12 pages", "12"],
          "what one willSave after the other set, in the file")
      }
    }
  }

  /// A class refuses a change; without the refusal it is saved.
  private func refuseHooked(_ book: Workbook) throws {
    try own.performAndWait {
      let refusal = NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError)
      let log = HookLog(refusing: { $0 === book ? refusal : nil })
      book.remark = "refused once"
      var code: Int?
      do { try save(log) } catch {
        if session.faults.explains(error) { throw error }
        code = (error as NSError).code
      }
      compare(code, with: refusal.code, "the error of a save that a class refuses")
      let calls = Array(Self.callsOfUpdate.dropLast())
      compare(log.calls(of: book), with: calls, "calls of an object that its class refuses to save")
      compare(log.phases, with: Array(Self.phasesOfSave.prefix(3)), "the order of a refused save's calls")
      compare(
        book.changedValues().keys.sorted(), with: ["remark"], "changes of an object that its class refused to save")
      let id = book.objectID
      try saveDirectly {
        compare(try Self.book(id, in: $0).remark, with: nil, "a value that a class refused, in the file")
      }
      try own.save()
      try saveDirectly { context in
        compare(
          try Self.book(id, in: context).remark, with: "refused once", "a value that was refused once, in the file")
      }
    }
  }
}
