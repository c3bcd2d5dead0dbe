extension Hazard {
  /// An operation edits in a block of its private context and saves after it, on its own thread.
  static let saveOutsidePerform = Hazard(
    "save-outside-perform", "An operation calls save() on its private context outside perform.",
    careless: { stage in
      let context = try stage.makeContext("operation")
      try context.performAndWait { try stage.note(in: context).revision += 1 }
      try context.save()
    },
    careful: { stage in
      let context = try stage.makeContext("operation")
      try context.performAndWait {
        try stage.note(in: context).revision += 1
        try context.save()
      }
    })
}
