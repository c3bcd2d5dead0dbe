import Checking
import Measuring
import Reporting

/// Gives the checkers a stand-in, with one seed after the other.
struct StandInTrial {
  let standIn: StandIn
  let seeds: Int
  let run: String

  /// The table's row, and why it does not hold.
  func result() -> (row: DetectionRow, problems: [String]) {
    precondition(seeds > 0, "a trial has at least one seed")
    let checkers = CheckerCatalogue.all.filter { $0.kinds.contains(standIn.kind) }
    var row = DetectionRow(
      run: run, kind: standIn.kind.rawValue, proof: .standIn, name: standIn.name, seeds: seeds, caught: 0,
      carefulSeeds: seeds)
    var problems: [String] = []
    if checkers.isEmpty { problems.append("no checker reports \(standIn.kind.rawValue)") }
    let begin = MonotonicClock.now()
    for seed in 1...UInt64(seeds) {
      do {
        let broken = try standIn.broken(seed)
        let found = checkers.contains { checker in
          checker.check(broken).violations.contains { $0.kind == standIn.kind && $0.severity == .error }
        }
        if found {
          if row.caught == 0 { row.secondsToFirst = Double(MonotonicClock.now() - begin) / 1e9 }
          row.caught = (row.caught ?? 0) + 1
        } else {
          problems.append("the broken input passed, seed \(seed)")
        }
        let sound = try standIn.sound(seed)
        // Where several checkers report the kind, some of them do not look at this case.
        let verdicts = checkers.map { $0.check(sound).verdict }
        if verdicts.contains(.violated) {
          row.falseAlarms += 1
          problems.append("the sound input raises an alarm, seed \(seed)")
        } else if !verdicts.contains(.held) {
          row.inconclusive += 1
          problems.append("no checker holds on the sound input, seed \(seed)")
        }
      } catch {
        row.inconclusive += 1
        problems.append("seed \(seed): \(error)")
      }
    }
    precondition(
      (row.caught ?? 0) <= seeds && row.falseAlarms + row.inconclusive <= seeds,
      "a seed is caught once, and its sound input raises an alarm, is inconclusive or holds")
    return (row, problems.map { "\(standIn.name): \($0)" })
  }
}
