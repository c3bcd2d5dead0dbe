import Cells
import Checking
import CoreData

// S3.1, S3.5, S6.4, S9.2: a transformed value that a refused save has encoded is still the program's, which may change it; equal values
// of several objects are one value for a constraint; and a decimal that is no number is one everywhere.

extension RuleTrial {
  /// A value is changed in place after a save that was refused, and the next save writes it as it is then.
  func changeAfterRefusal() throws {
    let coordinator = try open(EncodedModel.shared, at: newURL())
    let (owner, other) = (context(coordinator), context(coordinator))
    let (number, expected): (Int, String) = try owner.performAndWait {
      let (old, rival) = (insertNumbered("Parcel", owner), insertNumbered("Parcel", owner))
      try save(owner)
      let parcel = chance(1, of: 2) ? insertNumbered("SpecialParcel", owner) : old
      let list = NSMutableArray(array: some([1, 2, "a"] as [Any], atMost: 3))
      parcel.setValue(list, forKey: "list")
      rival.setValue("mine", forKey: "label")
      try other.performAndWait {
        other.object(with: rival.objectID).setValue("theirs", forKey: "label")
        try save(other)
      }
      note("a save is refused, for a conflict of another object")
      try require(
        AnythingClient.error { try owner.save() }?.code, NSManagedObjectMergeError, .failedSave,
        "the error of a save with a conflict")
      list.add("later")
      owner.refresh(rival, mergeChanges: false)
      try save(owner)
      return (RulePicture.number(parcel), EncodedParcels.words(list as? [Any]))
    }
    for reader in [context(coordinator), freshContext(coordinator)] {
      let seen = try reader.performAndWait {
        try all("Parcel", reader).first { RulePicture.number($0) == number }?.value(forKey: "list")
      }
      try require(
        EncodedParcels.words(seen), expected, .unpersistedSave,
        "a list that was changed after a save that was refused")
    }
  }

  /// A composite without elements is an attribute that has no value; everything else of its objects is as ever.
  func readNothing() throws {
    let coordinator = try open(EncodedModel.shared, at: newURL())
    let writer = context(coordinator)
    let numbers = try writer.performAndWait {
      let parcels = (0..<(1 + draw(3))).map { _ in
        insertNumbered(pick(["Parcel", "SpecialParcel"]) ?? "Parcel", writer)
      }
      for parcel in parcels { parcel.setValue(["city": "alpha"], forKey: "place") }
      try save(writer)
      return parcels.map(RulePicture.number)
    }
    let reader = freshContext(coordinator)
    try reader.performAndWait {
      let parcels = try all("Parcel", reader)
      try require(parcels.map(RulePicture.number), numbers, .lostRecord, "parcels with a composite without elements")
      for parcel in parcels {
        try require(
          [parcel.value(forKey: "nothing") == nil, parcel.value(forKeyPath: "place.city") as? String == "alpha"],
          [true, true], .wrongValue, "whether a composite without elements is null, and the one beside it as it was set"
        )
      }
      for keys in [["nothing"], [RuleModel.number, "nothing"]] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Parcel")
        (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, keys)
        let rows = try reader.fetch(request)
        try require(
          rows.map { $0["nothing"] == nil }, numbers.map { _ in true }, .wrongValue,
          "dictionaries of \(keys), of which one is a composite without elements")
      }
    }
  }

  /// Two values that are equal, and made in different ways, are one for a constraint.
  func collideByEqualValues() throws {
    let coordinator = try open(SealedModel.shared, at: newURL())
    let owner = context(coordinator)
    let words = (0..<(6 + draw(9))).map { "key \($0 + draw(3) * 20)" }
    func seal(_ isOther: Bool) -> Any {
      var parts = [String: Any](minimumCapacity: isOther ? 200 : 1)
      for word in isOther ? words.reversed() : words { parts[word] = word.count }
      let inner = NSArray(array: words)
      return NSArray(array: [parts, inner, isOther ? NSArray(array: words) : inner])
    }
    let (isSaved, values) = (chance(1, of: 2), [seal(false), seal(true)])
    precondition((values[0] as? NSArray)?.isEqual(values[1]) ?? false, "both values are equal")
    try owner.performAndWait {
      insertNumbered("Sealed", owner).setValue(values[0], forKey: "seal")
      if isSaved { try save(owner) }
      insertNumbered("Sealed", owner).setValue(values[1], forKey: "seal")
      note("a seal equal to that of \(isSaved ? "a row" : "a new object"), with \(words.count) words")
      try require(
        AnythingClient.error { try owner.save() }?.code, NSManagedObjectConstraintMergeError, .duplicateRecord,
        "the error of a save of equal transformed values that are to be unique")
    }
  }

  /// A decimal that is no number is read as that, and is null for conditions and orders, in SQL as by hand.
  func compareNotNumbers() throws {
    let coordinator = try open(at: newURL())
    let (writer, reader) = (context(coordinator), freshContext(coordinator))
    let prices: [NSDecimalNumber?] = [.notANumber, nil, 1, 0, -1, NSDecimalNumber(string: "0.5")]
    let set = [prices[0]] + (0..<5).map { _ in prices[draw(prices.count)] }
    try writer.performAndWait {
      for price in shuffled(set) { insertNumbered("Item", writer).setValue(price, forKey: "price") }
      try save(writer)
    }
    try reader.performAndWait {
      let items = try all("Item", reader)
      func texts(_ items: [NSManagedObject]) -> [String] {
        items.map { "\(($0.value(forKey: "price") as? NSDecimalNumber)?.stringValue ?? "null")" }
      }
      try require(
        texts(items).sorted(), set.map { "\($0?.stringValue ?? "null")" }.sorted(), .wrongValue, "prices in the file")
      for format in ["price == nil", "price != nil", "price > 0", "price <= 0", "price == 1", "NOT (price < 1)"] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = ["price", RuleModel.number].map {
          NSSortDescriptor(key: $0, ascending: chance(1, of: 2))
        }
        let chosen = items.filter { request.predicate?.evaluate(with: $0) ?? false } as NSArray
        let sorted = chosen.sortedArray(using: request.sortDescriptors ?? []) as? [NSManagedObject] ?? []
        try require(
          try reader.fetch(request).map(RulePicture.number), sorted.map(RulePicture.number), .wrongValue,
          "items where \(format), of which a price is no number, by price and number")
      }
    }
  }
}

/// Objects with a transformed value that is unique.
private enum SealedModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let entity = ModelParts.entity("Sealed")
    let seal = ModelParts.attribute("seal", .transformableAttributeType, isOptional: true)
    seal.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
    entity.properties.append(seal)
    entity.uniquenessConstraints = [["seal"]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    precondition(entity.uniquenessConstraints.count == 1, "the value alone is unique")
    return model
  }
}
