/// `memory-growth`: the process's memory is flat while the workload runs: the mean of the last quarter of its samples
/// is at most 5 % above that of the second quarter.
///
/// The first quarter, in which caches fill, does not count. Growth is reported as `context-leak`, the kind for
/// unneeded objects that live on; its subject is the process, since which context or cache grew cannot be seen from outside.
/// Not exercised below 20 samples, as in a short run.
package struct MemoryGrowthChecker: Checker {
  package let name = "memory-growth"
  package let kinds: [ViolationKind] = [.contextLeak]
  /// Samples without which nothing can be said.
  static let samplesMin = 20
  /// How much more the last quarter may have than the second, in percent.
  static let growthPercentMax: Int64 = 5

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let samples = evidence.parameters.memorySamples
    guard samples.count >= Self.samplesMin else {
      return CheckResult(
        name: name, exercised: 0, note: "\(samples.count) samples of memory, \(Self.samplesMin) are needed")
    }
    let quarter = samples.count / 4
    precondition(quarter > 0, "a quarter of the samples has one")
    let (second, last) = (mean(samples[quarter..<2 * quarter]), mean(samples.suffix(quarter)))
    let text = "\(second / 1024) kB in the second quarter, \(last / 1024) kB in the last"
    var violations: [Violation] = []
    if (last - second) * 100 > second * Self.growthPercentMax {
      violations.append(
        Violation(
          kind: .contextLeak, subject: "process memory",
          expected: "the last quarter's mean within \(Self.growthPercentMax) % of the second quarter's", seen: text))
    }
    return CheckResult(name: name, exercised: samples.count, violations: violations, note: text)
  }

  private func mean(_ samples: ArraySlice<Int64>) -> Int64 {
    precondition(!samples.isEmpty, "a quarter of the samples has at least one of them")
    return samples.reduce(0, +) / Int64(samples.count)
  }
}
