import Testing

@testable import CoreData

@Suite struct RandomisedModelTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// Steps in all.
  private static let operations =
    environment["CONTEXTBENCH_MODEL_TEST_OPERATIONS"].flatMap { Int($0) } ?? (isSanitized ? 8_000 : 100_000)
  /// Under a sanitizer a step takes many times as long.
  private static let isSanitized = environment["CONTEXTBENCH_TEST_SANITIZER", default: "none"] != "none"
  private static let firstSeed = environment["CONTEXTBENCH_MODEL_TEST_SEED"].flatMap { UInt64($0) } ?? 1
  private static let isTraced = environment["CONTEXTBENCH_MODEL_TEST_TRACE"] != nil
  /// Steps of each seed: 10,000,000 in all with 10,000 of each are 1,000 seeds.
  private static let stepsPerEpisode = environment["CONTEXTBENCH_MODEL_TEST_STEPS"].flatMap { Int($0) } ?? 200
  /// How many steps the search for a short script may take.
  private static let triedMax = environment["CONTEXTBENCH_MODEL_TEST_TRIED"].flatMap { Int($0) } ?? 300_000
  /// A file with a script, as a failure prints it, to be run alone.
  private static let script = environment["CONTEXTBENCH_MODEL_TEST_SCRIPT"]
  private static let parts = 4

  @Test(.enabled(if: script != nil)) func theScriptOfTheFileHolds() throws {
    let text = try ScriptText(try String(contentsOfFile: Self.script ?? "", encoding: .utf8))
    var episode = Episode(
      model: AtlasSchema.model(isOrdered: text.world.isOrdered), world: text.world, isThorough: true)
    guard let failure = episode.run(text.steps) else { return }
    print(failure)
    (episode.watched, episode.triedMax) = (nil, Self.triedMax)
    let short = episode.shrink(text.steps, failure)
    let source = short.map(\.source).joined(separator: ", ")
    Issue.record(
      """
      \(failure)
      \(episode.world):
      \(short.map { "  \($0)" }.joined(separator: "\n"))
      \(episode.run(short).map { "\($0)" } ?? "")
      [\(source)]
      """)
  }

  // S2, S3, S4, S5, S8
  @Test(.enabled(if: script == nil), arguments: 0..<parts) func theStackShowsWhatTheModelShows(part: Int) throws {
    let (plain, ordered) = (AtlasSchema.model(), AtlasSchema.model(isOrdered: true))
    let episodes = max(1, Self.operations / Self.stepsPerEpisode)
    var failures = 0
    for number in stride(from: part, to: episodes, by: Self.parts) {
      let seed = Self.firstSeed + UInt64(number)
      if Self.isTraced { print("seed \(seed)") }
      let world = World.drawn(seed: seed)
      var episode = Episode(model: world.isOrdered ? ordered : plain, world: world)
      episode.triedMax = Self.triedMax
      let (script, failure) = episode.run(seed: seed, count: Self.stepsPerEpisode)
      guard let failure else { continue }
      // The search for a short script may take minutes.
      print("seed \(seed): \(failure)")
      Issue.record("\(Self.report(episode, seed, script, failure))")
      failures += 1
      if failures == 1 { return }
    }
  }

  private static func report(_ episode: Episode, _ seed: UInt64, _ script: [Operation], _ failure: Episode.Failure)
    -> String
  {
    var thorough = episode
    (thorough.isThorough, thorough.watched) = (true, nil)
    let prefix = Array(script.prefix(failure.step + 1))
    let early = thorough.run(prefix)
    var shrinker = early != nil ? thorough : episode
    shrinker.watched = nil
    let short = shrinker.shrink(prefix, early ?? failure)
    let found = shrinker.run(short)
    return """
      seed \(seed): \(failure)
      shortest failing script found (\(short.count) steps; \(episode.world)):
      \(short.map { "  \($0)" }.joined(separator: "\n"))
      \(found.map { "\($0)" } ?? "")
      to repeat: CONTEXTBENCH_MODEL_TEST_SEED=\(seed) CONTEXTBENCH_MODEL_TEST_STEPS=\(stepsPerEpisode) \\
        CONTEXTBENCH_MODEL_TEST_OPERATIONS=1 \\
        swift test --filter RandomisedModelTests
      """
  }
}
