/// The policies that draw from a seed, by name.
package enum PolicyCatalogue {
  /// The policies in turn, where none is chosen.
  package static let portfolioName = "portfolio"

  /// Names that a command takes.
  package static let names = [portfolioName] + parts.map(\.name) + [FIFOPolicy().name]

  /// One way of drawing.
  private struct Part: Sendable {
    let name: String
    /// With its parameters, for messages and files.
    let describe: @Sendable (_ steps: Int) -> String
    let make: @Sendable (_ seed: UInt64, _ steps: Int, _ stepsByTask: [Int]) -> any SchedulePolicy
  }

  /// A cheap bug needs two or three constraints on its order; deeper ones are left to the walks.
  private static let parts: [Part] = [
    Part(name: "random-walk", describe: { _ in "random-walk" }, make: { seed, _, _ in RandomWalkPolicy(seed: seed) }),
    pct(2), pct(3),
    Part(name: "pos", describe: { _ in "pos" }, make: { seed, _, _ in POSPolicy(seed: seed) }),
    Part(
      name: "delay-bounded", describe: { "delay-bounded delays=3 steps=\($0)" },
      make: { seed, steps, _ in DelayBoundedPolicy(seed: seed, delays: 3, steps: steps) }), pct(1),
    Part(
      name: "uniform-walk", describe: { _ in "uniform-walk" },
      make: { seed, _, stepsByTask in UniformWalkPolicy(seed: seed, steps: stepsByTask) }),
  ]

  private static func pct(_ depth: Int) -> Part {
    Part(
      name: "pct-\(depth)", describe: { "pct-\(depth) steps=\($0)" },
      make: { seed, steps, _ in PCTPolicy(seed: seed, depth: depth, steps: steps) })
  }

  /// A policy for one schedule, and its name with its parameters.
  ///
  /// - Parameters:
  ///   - number: of the schedule; the portfolio takes its policies in turn.
  ///   - steps: an estimate of how many steps the schedule has.
  ///   - stepsByTask: an estimate of how many steps each task has, by its number; empty where there is none.
  /// - Precondition: the name is one of ``names``.
  package static func policy(
    named name: String, seed: UInt64, number: Int, steps: Int, stepsByTask: [Int] = []
  ) -> (policy: any SchedulePolicy, description: String) {
    if name == FIFOPolicy().name { return (FIFOPolicy(), name) }
    let part = name == portfolioName ? parts[number % parts.count] : parts.first { $0.name == name }
    guard let part else { preconditionFailure("\(name) is no policy") }
    return (part.make(seed, max(1, steps), stepsByTask), part.describe(max(1, steps)))
  }
}
