import Cells
import CoreData

/// Seats with one of the constraints that a model permits, or with two.
struct CollidingModel {
  enum Kind: CaseIterable {
    /// An attribute; the same by an entity that inherits it; two attributes.
    case plain, inherited, several
    /// Elements of a composite attribute, alone and beside an attribute.
    case elements, element
    /// A to-one relationship, alone and beside an attribute; a form of an attribute.
    case toOne, toOneToo, derived
    /// An attribute of the entity that inherits, beside an inherited one; two constraints.
    case ofHeir, two
  }

  /// The properties that are given values; a composite attribute is one.
  static let properties = ["text", "code", "place", "home", "own", "remark"]

  let kind: Kind
  let model: NSManagedObjectModel
  /// The names of the values of each constraint; elements have names of their own.
  let constraints: [[String]]

  init(_ kind: Kind) {
    self.kind = kind
    let (seat, big, low, town) = (
      NSEntityDescription(), NSEntityDescription(), NSEntityDescription(), ModelParts.entity("Town")
    )
    (seat.name, big.name, low.name) = ("Seat", "BigSeat", "LowSeat")
    seat.subentities = [big, low]
    func plain(_ name: String, _ type: NSAttributeType = .stringAttributeType) -> NSAttributeDescription {
      ModelParts.attribute(name, type, isOptional: true)
    }
    let place = NSCompositeAttributeDescription()
    (place.name, place.isOptional) = ("place", true)
    place.elements = [plain("city"), plain("zip", .integer32AttributeType)]
    seat.properties = [
      plain("text"), plain("code", .integer64AttributeType), place, plain("remark"),
      RuleModel.deriving("canon", .stringAttributeType, "canonical:(text)"),
    ]
    big.properties = [plain("own")]
    ModelParts.connect(
      ModelParts.many("seats", seat, .nullifyDeleteRule), of: town, ModelParts.one("home", town), of: seat)
    let (owner, named): (NSEntityDescription, [[String]]) =
      switch kind {
      case .plain: (seat, [["text"]])
      case .inherited: (big, [["text"]])
      case .several: (seat, [["text", "code"]])
      case .elements: (seat, [["place.city", "place.zip"]])
      case .element: (seat, [["place.city", "code"]])
      case .toOne: (seat, [["home"]])
      case .toOneToo: (seat, [["home", "code"]])
      case .derived: (seat, [["canon"]])
      case .ofHeir: (big, [["own", "text"]])
      case .two: (seat, [["text"], ["code"]])
      }
    owner.uniquenessConstraints = named
    constraints = named.map { $0.map { key in String(key.split(separator: ".").last ?? "") } }
    model = NSManagedObjectModel()
    model.entities = [seat, big, low, town]
    precondition(constraints.allSatisfy { !$0.isEmpty }, "a constraint is over something")
  }
}

/// A seat as the reference knows it.
struct CollidingSeat {
  /// The row's URI; nil for one that is new.
  let row: String?
  let entity: String
  /// By the names of values; null ones are left out.
  var values: [String: String]
  /// The properties that were given values since they were saved.
  var changed: Set<String> = []
  var isGone = false

  static func names(_ property: String) -> [String] { property == "place" ? ["city", "zip"] : [property] }

  /// The values of a constraint; nil where one is null.
  func unique(_ keys: [String]) -> [String]? {
    var found: [String] = []
    for key in keys {
      let value =
        key == "canon"
        ? values["text"]?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) : values[key]
      guard let value else { return nil }
      found.append(value)
    }
    return found
  }

  mutating func change(to new: [String: String]) {
    for property in CollidingModel.properties where Self.names(property).contains(where: { values[$0] != new[$0] }) {
      changed.insert(property)
    }
    values = new
  }

  mutating func copy(_ property: String, of other: CollidingSeat) {
    for name in Self.names(property) { values[name] = other.values[name] }
  }

  /// The values that are compared: new objects are known by them alone.
  var text: String {
    "\(row ?? "new"): \(entity) "
      + values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}

/// A save of seats, by hand: rows as they are in the file, and seats as the context has them.
struct CollidingSave {
  let constraint: [String]
  let policy: NSMergePolicyType
  /// As in the file.
  let saved: [String: CollidingSeat]
  /// First those with rows, then new ones, in their order.
  private(set) var seats: [CollidingSeat]
  private(set) var collisions = 0

  init(_ constraint: [String], _ policy: NSMergePolicyType, saved: [String: CollidingSeat], seats: [CollidingSeat]) {
    precondition(!constraint.isEmpty, "seats collide by something")
    (self.constraint, self.policy, self.saved, self.seats) = (constraint, policy, saved, seats)
  }

  private var newestWins: Bool {
    policy == .mergeByPropertyObjectTrumpMergePolicyType || policy == .overwriteMergePolicyType
  }

  /// Places of seats that collide, each group with the row that has the values.
  private func groups() -> [(places: [Int], database: Int?)] {
    var (order, claimants): ([[String]], [[String]: [Int]]) = ([], [:])
    var leaving: Set<Int> = []
    let isNew = seats.indices.filter { seats[$0].row == nil } + seats.indices.filter { seats[$0].row != nil }
    for place in isNew {
      let seat = seats[place]
      let claims = claims(seat)
      if seat.row.flatMap({ saved[$0] }) != nil, seat.isGone || claims { leaving.insert(place) }
      guard !seat.isGone, claims, let values = seat.unique(constraint) else { continue }
      if claimants[values] == nil { order.append(values) }
      claimants[values, default: []].append(place)
    }
    return order.compactMap { values in
      let places = claimants[values] ?? []
      let database = seats.indices.first { place in
        !leaving.contains(place) && seats[place].row.flatMap { saved[$0]?.unique(constraint) } == values
      }
      return database == nil && places.count < 2 ? nil : (places, database)
    }
  }

  /// Whether a seat is new, or has other unique values than in the file.
  func claims(_ seat: CollidingSeat) -> Bool { seat.row.flatMap { saved[$0] }.map { isChanged($0, seat) } ?? true }

  /// Whether a property that the constraint is about has another value; a composite attribute is one property.
  private func isChanged(_ old: CollidingSeat, _ new: CollidingSeat) -> Bool {
    constraint.contains { key in
      let property = ["city", "zip"].contains(key) ? "place" : key == "canon" ? "text" : key
      return CollidingSeat.names(property).contains { old.values[$0] != new.values[$0] }
    }
  }

  var collides: Bool { !groups().isEmpty }

  /// Resolves every collision.
  ///
  /// - Returns: false where the order in which saved seats were changed would decide.
  mutating func resolve() -> Bool {
    for _ in 0..<10 {
      let groups = groups()
      if groups.isEmpty { return true }
      collisions += groups.count
      for (places, database) in groups {
        let alive = places.filter { !seats[$0].isGone }
        let rows = alive.filter { seats[$0].row != nil }
        guard rows.count < 2, let last = rows.last ?? (newestWins ? alive.last : alive.first) else { return false }
        let survivor = database.flatMap { !newestWins || seats[last].row == nil ? $0 : nil } ?? last
        for loser in [database].compactMap({ $0 }) + alive where loser != survivor {
          settle(loser, survivor, database: database)
        }
      }
    }
    return false
  }

  private mutating func settle(_ loser: Int, _ survivor: Int, database: Int?) {
    guard let row = seats[loser].row, let old = saved[row] else {
      absorb(seats[loser], survivor, isRow: survivor == database)
      return seats[loser].isGone = true
    }
    if loser == database { return seats[loser].isGone = true }
    if policy == .rollbackMergePolicyType {
      seats[loser] = old
    } else {
      for key in constraint.map({ $0 == "canon" ? "text" : $0 }) { seats[loser].values[key] = old.values[key] }
    }
  }

  private mutating func absorb(_ loser: CollidingSeat, _ survivor: Int, isRow: Bool) {
    for property in CollidingModel.properties {
      if property == "own", loser.entity != "BigSeat" || seats[survivor].entity != "BigSeat" { continue }
      let takes =
        switch (isRow, policy) {
        case (false, _): loser.changed.contains(property) && !seats[survivor].changed.contains(property)
        case (true, .overwriteMergePolicyType): true
        case (true, .mergeByPropertyObjectTrumpMergePolicyType): loser.changed.contains(property)
        default: false
        }
      guard takes else { continue }
      seats[survivor].copy(property, of: loser)
      seats[survivor].changed.insert(property)
    }
  }
}
