import CoreData

extension Hazard {
  /// A confined context has no queue; to send it a block ends the process.
  static let performOnConfined = Hazard(
    "perform-on-confined", "A confined context, which has no queue, is sent a block.",
    careless: { stage in
      let context = stage.makeConfinedContext("confined")
      try context.performAndWait { _ = try stage.note(in: context).title?.isEmpty }
    },
    careful: { stage in
      let context = try stage.makeContext("private")
      try context.performAndWait { _ = try stage.note(in: context).title?.isEmpty }
    })
}
