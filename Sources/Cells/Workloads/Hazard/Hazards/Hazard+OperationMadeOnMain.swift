extension Hazard {
  /// An operation makes its confined context where it is made itself, on main, and uses it where it runs.
  static let operationMadeOnMain = Hazard(
    "operation-made-on-main", "An operation's confined context is made in init on main and used in main().",
    careless: { stage in
      let made = try stage.onMain { Handed(stage.makeConfinedContext("made in init")) }
      stage.keep(made.value)
      _ = try stage.note(in: made.value).title?.isEmpty
    },
    careful: { stage in
      let context = stage.makeConfinedContext("made in main()")
      _ = try stage.note(in: context).title?.isEmpty
    })
}
