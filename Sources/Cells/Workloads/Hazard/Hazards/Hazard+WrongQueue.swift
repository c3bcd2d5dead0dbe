extension Hazard {
  /// Serial, but on the wrong queue: the block is in turn with all others of one context, and uses another.
  static let wrongQueue = Hazard(
    "wrong-queue", "A block of one context's queue uses another context.",
    careless: { stage in
      let (own, other) = (try stage.makeContext("own"), try stage.makeContext("other"))
      try own.performAndWait { _ = try stage.note(in: other).title?.isEmpty }
    },
    careful: { stage in
      let other = try stage.makeContext("other")
      try other.performAndWait { _ = try stage.note(in: other).title?.isEmpty }
    })
}
