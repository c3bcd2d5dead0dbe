import ArgumentParser
import Checking
import Runs
import Scenarios

/// The work of an app, from the options of `recommend`.
struct RecommendApp: ParsableArguments {
  @Option(help: ArgumentHelp("Its model, an .xcdatamodeld; without it notes with words.", valueName: "path"))
  var model: String?

  @Option(parsing: .unconditional, help: "Importers that write at the same time: 4 without it.")
  var importers: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Objects of one save: 500 without it.", valueName: "objects"))
  var saveEvery: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Objects that are imported: 21,000 without it. A note with its 20 words is 21: write 63000 for 3,000 notes. With \
      --model of each entity: 500 without it.
      """, valueName: "objects"))
  var objects: Int?

  @Option(parsing: .unconditional, help: "Words of each note, 0 to 1000; 0 for objects without others: 20 without it.")
  var words: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Pages that main fetches per second meanwhile, 0 to 60: 30 without it.", valueName: "pages"))
  var readsOnMain: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Saves that each importer begins in a second. With this, or one of the next two, all of it happens at its own rate for \
      five seconds, and --objects are in the store before: 2 without it.
      """, valueName: "saves"))
  var importsPerSecond: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Requests in a second, each for an object that is deleted before, during or after it: 20 without it.",
      valueName: "requests"))
  var requestsPerSecond: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Saves of a single edit in a second: 10 without it.", valueName: "saves"))
  var editsPerSecond: Double?

  @Option(parsing: .unconditional, help: "Cells of each strategy: 6 without it.")
  var repetitions: Int?

  /// Whether anything was described.
  var isGiven: Bool {
    model != nil || hasRates || [importers, saveEvery, objects, words, readsOnMain, repetitions].contains { $0 != nil }
  }

  /// Whether all of it happens at rates.
  var hasRates: Bool { rates.contains { $0.value != nil } }

  /// The rates by their keys.
  private var rates: [(option: String, key: String, value: Double?)] {
    [
      ("--imports-per-second", "imports_per_s", importsPerSecond),
      ("--requests-per-second", "requests_per_s", requestsPerSecond),
      ("--edits-per-second", "edits_per_s", editsPerSecond),
    ]
  }

  func validate() throws {
    if model != nil, hasRates {
      throw ValidationError("The scenario of --model has no rates: leave out --imports-per-second and the like.")
    }
    if model != nil, readsOnMain != nil {
      throw ValidationError("The scenario of --model has no page that main fetches: leave out --reads-on-main.")
    }
    if model != nil, words != nil {
      throw ValidationError("The objects of --model are its own: leave out --words.")
    }
    if let words, !(0...1_000).contains(words) { throw ValidationError("--words is from 0 to 1000.") }
    if let readsOnMain, !(0...60).contains(readsOnMain) { throw ValidationError("--reads-on-main is from 0 to 60.") }
    if let objects, !(1...10_000_000).contains(objects) {
      throw ValidationError("--objects is from 1 to 10000000.")
    }
  }

  /// Words of each note of the import; a note and its words are its objects.
  private static let wordsPerNote = 20

  /// The scenario that does the same.
  ///
  /// - Throws: `ScenarioProblems` for values that a key does not allow.
  func scenario(_ loader: ScenarioLoader) throws(ScenarioProblems) -> Scenario {
    var scenario = try loader.load([name], overrides: overrides, quick: false)[0]
    guard model == nil else { return scenario }
    // An import may be so small that main reads nothing meanwhile: no strategy is worse for that.
    scenario.checks.removeAll { $0 == OverlapChecker().name || (words == 0 && $0 == OrphanRecordChecker().name) }
    return scenario
  }

  /// The command that runs the same cells, with every check of the scenario.
  var command: String {
    let settings = overrides.flatMap { ["--set", "\($0.key)=\($0.value)"] }
    return ShellWord.line([Program.current.name, "run", name] + settings)
  }

  private var name: String {
    if hasRates { return "app" }
    return model == nil ? "import" : "own-model"
  }

  private var overrides: [ScenarioOverride] {
    var overrides: [ScenarioOverride] = []
    func set(_ option: String, _ key: String, _ value: String) {
      overrides.append(ScenarioOverride(source: option, key: key, value: value))
    }
    func set(_ option: String, _ key: String, _ value: Int) { set(option, key, String(value)) }
    set("--importers", "importers", importers ?? 4)
    set("--save-every", "save_every", saveEvery ?? 500)
    set("--repetitions", "repetitions", repetitions ?? 6)
    if let model {
      set("--model", "model", model)
      set("--objects", "objects_per_entity", objects ?? 500)
      return overrides
    }
    let words = words ?? Self.wordsPerNote
    set("--objects", "notes", max(1, (objects ?? 21_000) / (words + 1)))
    set("--words", "words_per_note", words)
    precondition(words >= 0, "--words was looked at when it was given")
    let reads = readsOnMain ?? 30
    precondition(0...60 ~= reads, "--reads-on-main was looked at when it was given")
    set("--reads-on-main", "page_every_ticks", reads == 0 ? 0 : max(1, 60 / reads))
    for rate in rates {
      if let value = rate.value {
        overrides.append(ScenarioOverride(source: rate.option, key: rate.key, value: "\(value)"))
      }
    }
    if !hasRates { set("recommend", "floor", "false") }
    return overrides
  }
}
