/// Ways in which the judging code can be broken on purpose, one at a time, in a build with `CONTEXTBENCH_MUTANTS` set.
///
/// In any other build nothing of it is left: ``isActive(_:)`` is false.
package enum CheckerMutant {
  #if MUTANTS
    /// The one that is active.
    @TaskLocal package static var active: String?
  #endif

  /// Whether this build has mutants.
  package static var areBuilt: Bool {
    #if MUTANTS
      true
    #else
      false
    #endif
  }

  /// Whether the mutant of this name is active.
  @inline(__always)
  package static func isActive(_ name: @autoclosure () -> String) -> Bool {
    #if MUTANTS
      guard let active else { return false }
      return active == name()
    #else
      return false
    #endif
  }

  /// Runs `body` with one mutant; without, in a build that has none.
  package static func with<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    #if MUTANTS
      try $active.withValue(name, operation: body)
    #else
      try body()
    #endif
  }

  /// Those of the checkers: each one dead, each one blind for one of several kinds, each one that holds where it should say
  /// "unknown" or "not exercised".
  package static var ofCheckers: [String] {
    CheckerCatalogue.all.flatMap { checker in
      (checker.kinds.isEmpty && checker.name != ReportsChecker.checkName ? [] : ["dead:\(checker.name)"])
        + (checker.kinds.count > 1 ? checker.kinds.map { "blind:\(checker.name)/\($0.rawValue)" } : [])
        + (alwaysKnown.contains(checker.name) ? [] : ["unknown:\(checker.name)"]) + ["idle:\(checker.name)"]
    }
  }

  /// Checkers of the parent's own counts, which never say "unknown".
  private static let alwaysKnown = ["injected-faults", "memory-growth"]

  /// The result of a check as the active mutant has it.
  static func mutated(_ result: CheckResult) -> CheckResult {
    #if MUTANTS
      guard active != nil else { return result }
      let name = result.name
      let isDead = isActive("dead:\(name)")
      let violations = result.violations.filter { !isDead && !isActive("blind:\(name)/\($0.kind.rawValue)") }
      switch result.verdict {
      case .unknown where isActive("unknown:\(name)"), .notExercised where isActive("idle:\(name)"):
        return CheckResult(name: name, exercised: 1, violations: violations, note: result.note)
      case .unknown: return CheckResult(name: name, unknown: result.note, violations: violations)
      case .violated, .held, .notExercised:
        return CheckResult(name: name, exercised: result.exercised, violations: violations, note: result.note)
      }
    #else
      return result
    #endif
  }
}
