import SQLite
import Testing

@testable import CoreData

@Suite("S7.4, S6.4 Batch requests and files of large values") struct BatchExternalDataTests {
  private let first = Album.value(1)
  private let second = Album.value(2)

  private func run(_ stack: TestStack, policy: NSMergePolicy = .error, _ request: NSPersistentStoreRequest) throws {
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = policy
      _ = try context.execute(request)
    }
  }

  private func update(_ values: [AnyHashable: Any]) -> NSBatchUpdateRequest {
    let request = NSBatchUpdateRequest(entityName: "Picture")
    request.propertiesToUpdate = values
    return request
  }

  @Test func aBatchInsertWritesFilesAsASaveDoes() throws {
    let stack = try Album.stack()
    let objects: [[String: Any]] = [["name": "a", "data": first], ["name": "b", "data": Data([1])], ["name": "c"]]
    try run(stack, NSBatchInsertRequest(entityName: "Picture", objects: objects))
    #expect(try stack.storedData("a") == first)
    #expect(try stack.storedData("b") == Data([1]))
    #expect(try stack.storedData("c") == nil)
    try stack.expectFilesAreThoseOfRows(1)
    try stack.withWriter { $0.connection.faults = FaultPlan(failing: "COMMIT") }
    #expect(throws: (any Error).self) {
      try run(stack, NSBatchInsertRequest(entityName: "Picture", objects: objects))
    }
    try stack.withWriter { $0.connection.faults = nil }
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test(arguments: [
    NSMergePolicyType.errorMergePolicyType, .rollbackMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
    .overwriteMergePolicyType,
  ])
  func aRowThatIsThereAlreadyHasOneFile(_ policy: NSMergePolicyType) throws {
    let stack = try Album.stack(isUnique: true)
    try stack.change { $0.insert("Picture", ["name": "a", "data": first]) }
    let insert = NSBatchInsertRequest(
      entityName: "Picture", objects: [["name": "a", "data": second], ["name": "b", "data": first]])
    let error = caught { try run(stack, policy: NSMergePolicy(merge: policy), insert) }
    #expect((error != nil) == (policy == .errorMergePolicyType))
    try stack.expectFilesAreThoseOfRows(error == nil ? 2 : 1)
    try run(
      stack, policy: .mergeByPropertyObjectTrump,
      NSBatchInsertRequest(entityName: "Picture", objects: [["name": "a", "note": "no data"]]))
    try stack.expectFilesAreThoseOfRows(error == nil ? 2 : 1)
    let context = stack.context()
    try context.performAndWait {
      let data = try context.named("Picture", "a").value(forKey: "data") as? Data
      let isTaken = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy)
      #expect(data == (isTaken ? second : first))
    }
  }

  @Test func aBatchUpdateGivesEachRowAFileOfItsOwn() throws {
    let stack = try Album.stack()
    for name in ["a", "b", "c"] { try stack.seedPicture(name, first) }
    try run(stack, update(["data": second, "note": "new"]))
    try stack.expectFilesAreThoseOfRows(3)
    try stack.change { $0.delete(try $0.named("Picture", "a")) }
    for name in ["b", "c"] { #expect(try stack.storedData(name) == second) }
    #expect(try stack.sql("SELECT ZNOTE || Z_OPT FROM ZPICTURE") == ["new2", "new2"])
    try run(stack, update(["data": Data([7])]))
    try stack.expectFilesAreThoseOfRows(0)
    #expect(try stack.storedData("b") == Data([7]))
    try run(stack, update(["data": second]))
    try stack.withWriter { $0.connection.faults = FaultPlan(failing: "COMMIT") }
    #expect(throws: (any Error).self) { try run(stack, update(["data": NSNull()])) }
    try stack.withWriter { $0.connection.faults = nil }
    try stack.expectFilesAreThoseOfRows(2)
    try run(stack, update(["data": NSNull()]))
    try stack.expectFilesAreThoseOfRows(0)
  }

  @Test func aBatchUpdateComputesNoValueThatMayBeInAFile() throws {
    let stack = try Album.stack()
    try stack.seedPicture("a", first)
    for (name, source) in [("data", "plain"), ("plain", "data"), ("data", "data")] {
      let error = caught { try run(stack, update([name: NSExpression(forKeyPath: source)])) }
      #expect(error?.code == NSManagedObjectValidationError)
    }
    #expect(try stack.storedData("a") == first)
  }

  @Test func aBatchDeleteRemovesFiles() throws {
    let stack = try Album.stack()
    for name in ["a", "b", "c"] { try stack.seedPicture(name, first) }
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Picture")
    fetch.predicate = NSPredicate(format: "name != 'b'")
    let context = stack.context()
    try context.performAndWait {
      let picture = try context.named("Picture", "a")
      _ = picture.value(forKey: "note")
      try run(stack, NSBatchDeleteRequest(fetchRequest: fetch))
      #expect(picture.value(forKey: "data") as? Data == first, "who has the row still has its value")
      context.reset()
    }
    try stack.expectFilesAreThoseOfRows(1)
    #expect(try stack.storedData("b") == first)
    // Saves continue, and nothing of the batch is left.
    try stack.seedPicture("d", second)
    try stack.expectFilesAreThoseOfRows(2)
  }
}
