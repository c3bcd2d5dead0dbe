import CoreData

extension Hazard {
  /// Main adds up two balances of which it holds one from before a transfer, and reads the other from after it.
  static let tornRead = Hazard(
    "torn-read", "A sum over objects of which some are held from before a save and some are read after it.",
    schema: KeyedSchema.account,
    careless: { stage in
      try transfer(stage) { reader in
        // The first is realised, the second a fault that is filled after the save.
        let payer = Handed(try reader.context.performAndWait { try reader.heldRow(1) })
        let payee = Handed(try reader.context.performAndWait { reader.context.object(with: try id(of: 2, reader)) })
        return { [payer.value.value, (payee.value as? KeyedRow)?.value ?? 0] }
      }
    },
    careful: { stage in
      try transfer(stage) { reader in { try reader.freshRows([1, 2]).map(\.value) } }
    })

  private static func id(of key: Int64, _ reader: KeyedParticipant) throws -> NSManagedObjectID {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Account")
    request.resultType = .managedObjectIDResultType
    request.predicate = NSPredicate(format: "number == %ld", Int(key))
    guard let id = try reader.context.fetch(request).first else {
      throw UnexpectedAnswer(subject: "account \(key)", expected: "its row", seen: "no row")
    }
    return id
  }

  /// A transfer from account 1 to account 2, before which the reader prepares its read of both.
  private static func transfer(
    _ stage: HazardStage, _ prepare: (KeyedParticipant) throws -> () throws -> [Int64]
  ) throws {
    let reader = try KeyedParticipant("reader", "Account", stage)
    let client = try KeyedParticipant("client", "Account", stage)
    if stage.round == 0 { try client.insert(1..<3, value: 100) }
    let (entity, number) = (KeyedSchema.entityNumber, Int64(stage.round))
    let read = try prepare(reader)
    client.history.record(.invoke, .transfer, entity: entity, key: 1, value: 7)
    client.history.record(.info, .credit, entity: entity, key: 2, value: 7)
    try client.context.performAndWait {
      for row in try client.freshRows([1, 2]) { row.value += row.number == 1 ? -7 : 7 }
      try client.context.save()
    }
    try reader.context.performAndWait {
      reader.history.record(.invoke, .balances, entity: entity, key: number, value: 1)
      let balances = try read()
      reader.history.record(
        .ok, .balances, entity: entity, key: number, values: balances, value: balances.reduce(0, +),
        context: reader.number)
    }
    client.history.record(.ok, .transfer, entity: entity, key: 1, value: 7, context: client.number)
  }
}
