extension Hazard {
  /// Main hands one of its objects over as a fault, and the other thread is the first to read it.
  static let objectFaultedElsewhere = Hazard(
    "object-faulted-elsewhere", "An object of main is handed to another thread as a fault and read there.",
    careless: { stage in
      let fault = try stage.onMain { Handed(stage.main.object(with: stage.noteID)) }
      stage.keep(fault.value)
      _ = try stage.onOtherThread { (fault.value as? Note)?.title?.isEmpty }
    },
    careful: { stage in
      let id = try stage.onMain { stage.main.object(with: stage.noteID).objectID }
      let context = try stage.makeContext("receiver")
      _ = try stage.onOtherThread {
        context.performAndWait { (context.object(with: id) as? Note)?.title?.isEmpty }
      }
    })
}
