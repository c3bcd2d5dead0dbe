import CoreData

extension Hazard {
  /// A child's block saves main as well, main's code waits for the child: two orders, that only luck keeps apart.
  static let mainSavedInChild = Hazard(
    "main-saved-in-child", "A child's block saves main and waits, and main elsewhere waits for the child.",
    careless: { stage in
      let child = makeChild(stage)
      try stage.onMain { child.performAndWait { _ = child.registeredObjects.count } }
      try child.performAndWait {
        try stage.note(in: child).revision += 1
        try child.save()
        try stage.main.performAndWait { try stage.main.save() }
      }
    },
    careful: { stage in
      let child = makeChild(stage)
      try stage.onMain { child.perform { _ = child.registeredObjects.count } }
      try child.performAndWait {
        try stage.note(in: child).revision += 1
        try child.save()
      }
      try stage.main.performAndWait { try stage.main.save() }
    })

  private static func makeChild(_ stage: HazardStage) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stage.main
    stage.session.environment.adopt(child, name: "child")
    return child
  }
}
