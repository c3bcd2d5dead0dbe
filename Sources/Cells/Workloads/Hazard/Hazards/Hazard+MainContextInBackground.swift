extension Hazard {
  /// A background task takes the main context, since that one is at hand.
  static let mainContextInBackground = Hazard(
    "main-context-in-background", "A background task fetches in the main context.",
    careless: { stage in _ = try stage.main.fetch(Note.request()).count },
    careful: { stage in
      let context = try stage.makeContext("task")
      _ = try context.performAndWait { try context.fetch(Note.request()).count }
    })
}
