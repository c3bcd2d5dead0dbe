import Boundary
import Measuring

/// All that numbers depend on besides the code: where it differs, some of them cannot be compared.
package struct GateSurroundings: Codable, Sendable, Hashable {
  package var sqlite: String
  package var compiler: String
  package var system: String
  /// The instructions that libraries choose their functions by.
  package var processor: String
  package var build: String
  /// The program that counts instructions: `valgrind 3.19.0`; nil where nothing does.
  package var counter: String?

  /// Why counts that are SQLite's cannot be compared with those of `base`; nil where they can.
  func sqliteObstacle(since base: GateSurroundings) -> String? {
    sqlite == base.sqlite ? nil : "SQLite was \(base.sqlite) and is \(sqlite)"
  }

  /// Why the numbers that depend on the compiler cannot be compared with `base`; nil where they can.
  func buildObstacle(since base: GateSurroundings) -> String? {
    Self.differences([(base.compiler, compiler, "the compiler was"), (base.build, build, "the build was")])
  }

  private static func differences(_ pairs: [(was: String, now: String, what: String)]) -> String? {
    let texts = pairs.filter { $0.was != $0.now }.map { pair in
      "\(pair.what) \(pair.was) and \(pair.what.hasSuffix("by") ? "are by" : "is") \(pair.now)"
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Why instructions cannot be compared with those of `base`; nil where they can.
  func instructionObstacle(since base: GateSurroundings) -> String? {
    guard let counter else { return InstructionCounter.missingTool() ?? "nothing here counts instructions" }
    guard let old = base.counter else { return "the baseline has no instructions" }
    return sqliteObstacle(since: base)
      ?? Self.differences([
        (old, counter, "they were counted by"), (base.compiler, compiler, "the compiler was"),
        (base.system, system, "the system was"), (base.processor, processor, "the processor was"),
        (base.build, build, "the build was"),
      ])
  }
}

extension GateSurroundings {
  /// Those of this process.
  ///
  /// - Parameter counter: counts instructions; nil where they are not counted.
  package static func current(_ counter: InstructionCounter?) -> GateSurroundings {
    let libraries = LibraryVersions.all
    let machine = Machine.current()
    let build = BuildConfiguration.current
    return GateSurroundings(
      sqlite: libraries["sqlite"] ?? "unknown", compiler: libraries["swift"].map { "Swift \($0)" } ?? "unknown",
      system: machine.operatingSystem ?? "unknown",
      processor: ([machine.architecture] + Machine.vectorInstructions).joined(separator: " "),
      build: build.optimization.rawValue + build.suffix,
      counter: counter.map { "valgrind \($0.version ?? "unknown")" })
  }
}
