import Checking
import CoreData

// S3.5: constraints over everything that a model permits, of two to four objects, new and saved, with nulls and exchanges, and rows that
// others have inserted meanwhile, in contexts that have saved before or not: what is left is what the policy says; one that decides
// never refuses; the context has what the file has.

extension RuleTrial {
  func collisions() throws {
    for kind in shuffled(CollidingModel.Kind.allCases).prefix(5) {
      let model = CollidingModel(kind)
      let coordinator = try open(model.model, at: newURL())
      note("seats that are unique by \(model.constraints)")
      let maker = context(coordinator)
      try maker.performAndWait {
        for _ in 0..<2 { _ = insertNumbered("Town", maker) }
        try save(maker)
      }
      for _ in 0..<(2 + draw(2)) { try seatElsewhere(coordinator, model) }
      // One context saves several times, or each save is one's of its own.
      let kept = chance(1, of: 2) ? context(coordinator) : nil
      var held: [NSManagedObject] = []
      for _ in 0..<6 {
        let policy = chance(1, of: 7) ? .error : pick(Self.policies) ?? .error
        try collide(kept ?? context(coordinator), coordinator, model, policy, &held)
      }
      kept?.performAndWait { withExtendedLifetime(held) {} }
      try close(coordinator)
    }
  }

  // MARK: Saves

  private func collide(
    _ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ model: CollidingModel,
    _ policy: NSMergePolicy, _ held: inout [NSManagedObject]
  ) throws {
    note("policy \(policy.mergeType.rawValue)")
    owner.performAndWait { owner.mergePolicy = policy }
    // Of several new objects that a child pushes none is known to be the newest.
    let editor = chance(1, of: 4) ? context(in: owner) : owner
    var new: [(object: NSManagedObject, seat: CollidingSeat)] = []
    let mine = try editor.performAndWait {
      let rows = try editor.fetch(NSFetchRequest<NSManagedObject>(entityName: "Seat"))
      // Each is changed once: a value that is set back would count as given or not.
      var left = rows.sorted { Self.uri($0) < Self.uri($1) }
      for _ in 0..<(2 + draw(3)) {
        let isLast = editor !== owner && !new.isEmpty
        if !isLast, left.isEmpty || chance(1, of: 2) {
          new.append(try seat(editor, isWhole: editor !== owner))
        } else if !left.isEmpty {
          try change(&left, editor, model)
        }
      }
      // The rows, with what the context has of them.
      return Dictionary(
        uniqueKeysWithValues: rows.map { row -> (String, CollidingSeat?) in
          (Self.uri(row), row.isDeleted ? nil : seat(of: row))
        })
    }
    // A town would be changed by both.
    if chance(1, of: 3) { try seatElsewhere(coordinator, model, isAlone: false) }
    let saved = try seats(freshContext(coordinator))
    var seats = saved.values.sorted { $0.row ?? "" < $1.row ?? "" }
    for place in seats.indices {
      guard let row = seats[place].row, let changed = mine[row] else { continue }
      guard let changed else {
        seats[place].isGone = true
        continue
      }
      seats[place].change(to: changed.values)
    }
    seats += new.map(\.seat)
    if editor !== owner { try editor.performAndWait { try save(editor) } }
    try saveSeats(owner, coordinator, model, policy.mergeType, saved, seats)
    editor.performAndWait { withExtendedLifetime(new) {} }
    owner.performAndWait {
      if owner.hasChanges { owner.rollback() }
      held += owner.registeredObjects
    }
  }

  private func saveSeats(
    _ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ model: CollidingModel,
    _ policy: NSMergePolicyType, _ saved: [String: CollidingSeat], _ seats: [CollidingSeat]
  ) throws {
    precondition(owner.parent == nil, "seats collide where they are saved to a store")
    let plans = model.constraints.map { CollidingSave($0, policy, saved: saved, seats: seats) }
    let collides = plans.contains(where: \.collides)
    note("save seats, which \(collides ? "collide" : "do not collide")")
    let code = owner.performAndWait { AnythingClient.error { try owner.save() } }?.code
    let what = "seats unique by \(model.constraints), policy \(policy.rawValue)"
    let file = try self.seats(freshContext(coordinator))
    if policy == .errorMergePolicyType, collides {
      try require(code, NSManagedObjectConstraintMergeError, .duplicateRecord, "the error of a save of \(what)")
      return try require(
        file.values.map(\.text).sorted(), saved.values.map(\.text).sorted(), .dirtyRead,
        "the file after a save that was refused, of \(what)")
    }
    try require(code, nil, .failedSave, "the error of a save of \(what)")
    for constraint in model.constraints {
      let values = file.values.compactMap { $0.unique(constraint) }
      try require(Set(values).count, values.count, .duplicateRecord, "how many different values there are of \(what)")
    }
    let shown = try self.seats(owner)
    try require(
      shown.values.map(\.text).sorted(), file.values.map(\.text).sorted(), .staleRead,
      "the context after its save of \(what)")
    if plans.count == 1 { try requireRemarks(plans[0], file, what) }
    var plan = plans[0]
    guard plan.resolve(), plans.count == 1 || !collides else { return }
    func texts(_ seats: [CollidingSeat]) -> [String] {
      seats.filter { !$0.isGone }.map { seat in
        guard let row = seat.row, saved[row] == nil else { return seat.text }
        return CollidingSeat(row: nil, entity: seat.entity, values: seat.values).text
      }.sorted()
    }
    try require(
      texts(Array(file.values)), texts(plan.seats), .wrongWinner,
      "the file after \(plan.collisions) collisions of \(what)")
  }

  /// A row that was given unique values keeps what else was changed of it, whoever gets them; one that has nothing to do with new
  /// seats, of which it could take something over.
  private func requireRemarks(_ plan: CollidingSave, _ file: [String: CollidingSeat], _ what: String) throws {
    let isAlone = plan.seats.allSatisfy { $0.row != nil }
    guard isAlone ? plan.policy != .rollbackMergePolicyType : plan.policy == .mergeByPropertyStoreTrumpMergePolicyType
    else { return }
    for seat in plan.seats where plan.claims(seat) && seat.changed.contains("remark") {
      guard let row = seat.row, let found = file[row] else { continue }
      try require(found.values["remark"], seat.values["remark"], .lostUpdate, "the remark of \(row) of \(what)")
    }
  }

  // MARK: Steps

  /// A new seat with some values; in a block of the context.
  private func seat(
    _ context: NSManagedObjectContext, isWhole: Bool, isHomeless: Bool = false
  ) throws -> (object: NSManagedObject, seat: CollidingSeat) {
    let entity = pick(["Seat", "BigSeat", "LowSeat"]) ?? "Seat"
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    var changed: Set<String> = []
    for property in CollidingModel.properties where object.entity.propertiesByName[property] != nil {
      guard isWhole || chance(4, of: 5), property != "home" || !isHomeless else { continue }
      try give(property, object, isNull: false)
      changed.insert(property)
    }
    let values = Self.values(of: object)
    note("insert \(entity) \(values.sorted { $0.key < $1.key })")
    return (object, CollidingSeat(row: nil, entity: entity, values: values, changed: changed))
  }

  /// Others insert a seat that collides with none.
  private func seatElsewhere(
    _ coordinator: NSPersistentStoreCoordinator, _ model: CollidingModel, isAlone: Bool = true
  ) throws {
    let other = freshContext(coordinator)
    let saved = try seats(other)
    try other.performAndWait {
      let new = try seat(other, isWhole: false, isHomeless: !isAlone)
      let isFree = model.constraints.allSatisfy { constraint in
        guard let values = new.seat.unique(constraint) else { return true }
        return !saved.values.contains { $0.unique(constraint) == values }
      }
      if isFree { try save(other) } else { other.rollback() }
    }
  }

  /// Changes, exchanges or deletes saved seats, which are not among the rows then; in a block of the context.
  private func change(
    _ rows: inout [NSManagedObject], _ context: NSManagedObjectContext, _ model: CollidingModel
  ) throws {
    let row = rows.remove(at: draw(rows.count))
    let keys = Set(
      model.constraints.joined().map { key in
        ["city", "zip"].contains(key) ? "place" : key == "canon" ? "text" : key
      }
    ).filter { row.entity.propertiesByName[$0] != nil }.sorted()
    switch draw(6) {
    case 0:
      note("delete \(Self.uri(row))")
      return context.delete(row)
    case 1, 2:
      guard !rows.isEmpty else { return }
      let other = rows.remove(at: draw(rows.count))
      note("\(Self.uri(row)) and \(Self.uri(other)) exchange \(keys)")
      for key in keys where other.entity.propertiesByName[key] != nil {
        let (old, new) = (row.value(forKey: key), other.value(forKey: key))
        assign(new, key, row)
        assign(old, key, other)
      }
    default: for key in keys where chance(2, of: 3) { try give(key, row, isNull: chance(1, of: 6)) }
    }
    if chance(1, of: 2) { try give("remark", row, isNull: false) }
    note("\(Self.uri(row)) has \(Self.values(of: row).sorted { $0.key < $1.key })")
  }

  /// Sets another value; in a block of the object's context.
  private func assign(_ value: Any?, _ key: String, _ object: NSManagedObject) {
    let old = object.value(forKey: key)
    let isSame =
      key == "home"
      ? old as? NSManagedObject === value as? NSManagedObject : RulePicture.text(old) == RulePicture.text(value)
    if !isSame { object.setValue(value, forKey: key) }
  }

  /// Gives a property one of few values; in a block of the object's context.
  private func give(_ property: String, _ object: NSManagedObject, isNull: Bool) throws {
    precondition(object.entity.propertiesByName[property] != nil, "the seat has this property")
    let (choice, other) = (draw(3), draw(3))
    let value: Any? =
      switch property {
      case "text": ["a", "A", "b"][choice]
      case "code": choice
      case "own": ["x", "y", "z"][choice]
      case "place": ["city": ["x", "y", "z"][choice], "zip": other % 2] as [String: Any]
      case "home": try object.managedObjectContext.map { try all("Town", $0) }?[choice % 2]
      default: "remark \(newNumber())"
      }
    assign(isNull ? nil : value, property, object)
  }

  // MARK: Pictures

  private static func uri(_ object: NSManagedObject) -> String {
    object.objectID.uriRepresentation().pathComponents.suffix(2).joined(separator: "/")
  }

  private static func values(of object: NSManagedObject) -> [String: String] {
    var values: [String: String] = [:]
    for key in ["text", "code", "own", "remark"] where object.entity.propertiesByName[key] != nil {
      let text = RulePicture.text(object.value(forKey: key))
      values[key] = text == "null" ? nil : text
    }
    for (key, value) in object.value(forKey: "place") as? [String: Any] ?? [:] where !(value is NSNull) {
      values[key] = RulePicture.text(value)
    }
    values["home"] = (object.value(forKey: "home") as? NSManagedObject).map { "\(RulePicture.number($0))" }
    return values
  }

  private func seat(of object: NSManagedObject) -> CollidingSeat {
    CollidingSeat(row: Self.uri(object), entity: object.entity.name ?? "", values: Self.values(of: object))
  }

  /// Every seat that a context shows, by its row.
  private func seats(_ context: NSManagedObjectContext) throws -> [String: CollidingSeat] {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Seat")
      let found = try context.fetch(request).map { seat(of: $0) }
      return Dictionary(found.map { ($0.row ?? "", $0) }) { first, _ in first }
    }
  }
}
