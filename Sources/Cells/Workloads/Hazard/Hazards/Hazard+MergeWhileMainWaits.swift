extension Hazard {
  /// Each save is merged into main before the worker continues, and main waits for the worker.
  static let mergeWhileMainWaits = Hazard(
    "merge-while-main-waits", "The worker waits until main has merged its save, while main waits for the worker.",
    careless: { stage in
      let writer = try stage.session.strategy.makeWriter(named: "worker")
      try stage.onMain { stage.inBackground("the worker") { try raiseRevision(stage, writer) }.wait() }
    },
    careful: { stage in
      let writer = try stage.session.strategy.makeWriter(named: "worker")
      let writing = try stage.onMain { stage.inBackground("the worker") { try raiseRevision(stage, writer) } }
      writing.wait()
    })

  private static func raiseRevision(_ stage: HazardStage, _ writer: any StrategyWriter) throws {
    try writer.write {
      try stage.note(in: $0).revision += 1
    } reached: { _ in
    }
  }
}
