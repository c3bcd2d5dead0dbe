import Checking
import Foundation
import Measuring

/// The description of a run: everything that is needed to understand and repeat it; `manifest.json` of the results folder.
package struct Manifest: RunDocument, Sendable, Hashable {
  /// Version of the CSV columns and of this file.
  package var schemaVersion = CellKey.schemaVersion
  /// Identifier of the run.
  package var run: String
  /// Version of `contextbench`.
  package var version: String
  /// Revision of the source, where it is known.
  package var revision: String?
  /// The verb: `run`, …
  package var command: String
  /// All arguments behind the executable's name, as given.
  package var arguments: [String]
  /// Scenario files of the run.
  package var scenarios: [String]
  /// Seeds of the cells, each once, in the plan's order.
  package var seeds: [UInt64]
  /// When the run started.
  package var startedAt: Date
  /// The machine it ran on.
  package var machine: Machine
  /// How quiet the machine was just before the first cell.
  package var noiseBefore: NoiseSummary?
  /// How quiet it was while the cells ran; nil until the run has ended.
  package var noiseDuring: NoiseSummary?
  /// How the executable was built.
  package var build: BuildConfiguration
  /// Allocator of the executable: `jemalloc 5.3.0`, `system`.
  package var allocator: String
  /// File system that holds the stores.
  package var storeFileSystem: String?
  /// Libraries with their versions; SQLite's as loaded, not as compiled against.
  package var libraries: [String: String]
  /// Pragmas and flags of the store's connections.
  package var sqliteOptions: [String: String]

  /// The executable that ran it; nil in manifests of older versions.
  package var executable: RunExecutable?
  /// The baseline's executable, with cells beside those of this one; nil where none ran.
  package var beside: RunExecutable?

  /// When it was resumed; nil if it never was.
  package var resumedAt: [Date]?
  /// The runs that were merged into this one; nil for a run of its own.
  package var parts: [Part]?

  /// One of several runs that were merged.
  package struct Part: Codable, Sendable, Hashable {
    /// Identifier of the run; its rows have it.
    package var run: String
    /// Its part of the plan, as `i/n`.
    package var shard: String?
    /// When it started.
    package var startedAt: Date
    /// The machine it ran on.
    package var machine: Machine
  }

  /// Describes a run on this machine by this executable.
  package init(
    run: String, version: String, revision: String?, command: String, arguments: [String], scenarios: [String],
    seeds: [UInt64], startedAt: Date, allocator: String, storeFileSystem: String?, libraries: [String: String],
    sqliteOptions: [String: String], machine: Machine = .current(), build: BuildConfiguration = .current
  ) {
    precondition(!run.isEmpty && !command.isEmpty, "a run has a name, and a command that made it")
    precondition(Set(seeds).count == seeds.count, "a seed is named once, however many cells draw from it")
    self.run = run
    self.version = version
    self.revision = revision
    self.command = command
    self.arguments = arguments
    self.scenarios = scenarios
    self.seeds = seeds
    self.startedAt = startedAt
    self.machine = machine
    self.build = build
    self.allocator = allocator
    self.storeFileSystem = storeFileSystem
    self.libraries = libraries
    self.sqliteOptions = sqliteOptions
  }

  /// The name of its file in the results folder.
  package static let fileName = "manifest.json"
}
