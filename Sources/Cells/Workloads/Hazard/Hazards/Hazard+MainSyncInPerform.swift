import CoreData
import Scheduling

extension Hazard {
  /// A block of a private context asks main for something and waits, while main waits for the context.
  static let mainSyncInPerform = Hazard(
    "main-sync-in-perform", "A perform block calls main.sync while main is in performAndWait of the same context.",
    careless: { stage in
      try askMain(stage) { context in context.performAndWait { _ = context.registeredObjects.count } }
    },
    careful: { stage in
      // Main is free: it asks the context without waiting for it.
      try askMain(stage) { context in context.perform { _ = context.registeredObjects.count } }
    })

  /// Lets main use the context once its block is under way, and the block call main.sync once main has begun.
  private static func askMain(
    _ stage: HazardStage, _ use: @escaping @Sendable (NSManagedObjectContext) -> Void
  ) throws {
    let context = try stage.makeContext("worker")
    let (isBusy, mainBegan) = (Latch(label: "the worker is busy"), Latch(label: "main began"))
    let asking = stage.inBackground("the worker's block") {
      try context.performAndWait {
        _ = try stage.note(in: context).title?.isEmpty
        isBusy.open()
        mainBegan.wait()
        SerialQueue.main.sync {}
      }
    }
    isBusy.wait()
    try stage.onMain {
      mainBegan.open()
      use(context)
    }
    asking.wait()
    context.performAndWait {}
  }
}
