import CoreData
import Scheduling

extension Hazard {
  /// Main waits for a child's queue again and again, while a block of that queue saves, which waits for main.
  static let childLoopOnMain = Hazard(
    "child-loop-on-main", "Main calls child.performAndWait in a loop while the child's save waits for main.",
    careless: { stage in
      try childLoop(stage) { child in
        for _ in 0..<3 { child.performAndWait { _ = child.registeredObjects.count } }
      }
    },
    careful: { stage in
      try childLoop(stage) { child in
        for _ in 0..<3 { child.perform { _ = child.registeredObjects.count } }
      }
    })

  /// Lets main loop once the child's block is under way, and the child save once main has begun.
  private static func childLoop(
    _ stage: HazardStage, _ loop: @escaping @Sendable (NSManagedObjectContext) -> Void
  ) throws {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stage.main
    stage.session.environment.adopt(child, name: "child")
    let (childIsBusy, mainLoops) = (Latch(label: "the child is busy"), Latch(label: "main loops"))
    let saving = stage.inBackground("the child's save") {
      try child.performAndWait {
        try stage.note(in: child).revision += 1
        childIsBusy.open()
        mainLoops.wait()
        try child.save()
      }
    }
    childIsBusy.wait()
    try stage.onMain {
      mainLoops.open()
      loop(child)
    }
    saving.wait()
    // Work that the careful loop left behind.
    child.performAndWait {}
    try stage.main.performAndWait { try stage.main.save() }
  }
}
