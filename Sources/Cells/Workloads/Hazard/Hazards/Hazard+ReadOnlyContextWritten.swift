extension Hazard {
  /// Main changes and saves an object of its own, though it is only there to be read.
  static let readOnlyContextWritten = Hazard(
    "read-only-context-written", "Main changes and saves, though the strategy only reads from it.",
    careless: { stage in
      try stage.onMain {
        try stage.note(in: stage.main).revision += 1
        try stage.main.save()
      }
    },
    careful: { stage in
      try stage.session.strategy.makeWriter(named: "writer").write {
        try stage.note(in: $0).revision += 1
      } reached: { _ in
      }
    })
}
