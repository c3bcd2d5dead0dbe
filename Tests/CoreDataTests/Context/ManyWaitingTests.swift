import Scheduling
import Testing

@testable import CoreData

@Suite struct ManyWaitingTests {
  private static let savers = 400

  // S1.9: as many blocks as wait for the writer's turn, another one begins at once.
  @Test func aBlockRunsThoughHundredsOfSavesWait() throws {
    let stack = try TestStack(.memory)
    let coordinator = stack.container.persistentStoreCoordinator
    let reader = stack.context("reader")
    let all = WaitGroup(label: "savers")
    let isWaiting = DispatchSemaphore(value: 0)
    try coordinator.turn.sync {
      for number in 0..<Self.savers {
        let context = stack.context("saver \(number)")
        all.enter()
        context.perform {
          context.insertNote(Int64(number))
          isWaiting.signal()
          do { try context.save() } catch { Issue.record(error) }
          all.leave()
        }
      }
      for _ in 0..<Self.savers { isWaiting.wait() }
      // Every saver's block has begun, and none can end before the turn is given back.
      let isOver = DispatchSemaphore(value: 0)
      reader.perform { isOver.signal() }
      try #require(isOver.wait(timeout: .now() + 20) == .success, "the reader's block runs")
    }
    all.wait()
    let count = try reader.performAndWait { try reader.notes().count }
    #expect(count == Self.savers)
  }
}
