import Boundary
import Foundation
import Reporting

/// The costs of each cell of a gate, when a person accepted that: `baseline.json` of the gate's folder.
package struct GateBaseline: Codable, Sendable, Hashable {
  package static let fileName = "baseline.json"
  /// The form that this version reads.
  private static let currentVersion = 2

  /// The costs of one cell.
  package struct Cell: Codable, Sendable, Hashable {
    /// Objects that it made, changed or deleted, and that were acknowledged.
    package var objects: Int
    /// Exact counts.
    package var costs: [CellCost: Int]
    /// Instructions of its measured span; nil where they were not counted.
    package var instructions: Int?

    package init(objects: Int, costs: [CellCost: Int], instructions: Int? = nil) {
      precondition(objects >= 0 && costs.values.allSatisfy { $0 >= 0 }, "nothing is counted down")
      precondition((instructions ?? 1) > 0, "a cell that was counted has instructions")
      self.objects = objects
      self.costs = costs
      self.instructions = instructions
    }
  }

  package var version = Self.currentVersion
  package var surroundings: GateSurroundings
  /// By its scenario, strategy and options.
  package var cells: [String: Cell]
  /// Wall time of all cells together; advisory.
  package var seconds: Double

  package init(surroundings: GateSurroundings, cells: [String: Cell], seconds: Double) {
    precondition(seconds >= 0, "time passes")
    self.surroundings = surroundings
    self.cells = cells
    self.seconds = seconds
  }

  /// Reads it from a gate's folder.
  package static func read(in folder: String) throws(ReportingError) -> GateBaseline {
    let path = folder + "/" + fileName
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ReportingError(
        path: path, cause: "is not there, or cannot be read", remedy: "Write it with gate --init, or name another --dir"
      )
    }
    guard let baseline = try? JSONDecoder().decode(GateBaseline.self, from: data), baseline.version == currentVersion
    else {
      throw ReportingError(
        path: path, cause: "is damaged, or of another version",
        remedy: "Restore it, or write it anew with gate --accept")
    }
    return baseline
  }

  /// Writes it into a gate's folder: a line for each number, so that a review shows the changes.
  package func write(in folder: String) throws(ReportingError) {
    precondition(version == Self.currentVersion, "a baseline is written in the form that is read")
    try GateFile.write(self, to: folder + "/" + Self.fileName)
  }
}

/// The instructions of the functions of each cell, which tell where a cell became longer: `functions.json` of the gate's folder.
package struct GateFunctions: Codable, Sendable, Hashable {
  package static let fileName = "functions.json"
  /// Functions with a smaller share of their cell are left out.
  private static let shareMin = 0.001

  /// Whether the executable has line tables: without them a function that the compiler has inlined is a part of its caller.
  var hasInlined = true
  /// By cell, then by the function's name.
  var cells: [String: [String: Int]] = [:]

  /// Names the functions of cells of an executable.
  static func of(_ profiles: [String: InstructionProfile], in executable: String) -> GateFunctions {
    let addresses = Set(profiles.values.flatMap { $0.instructions.keys.map(\.address) })
    let names = LineTables.names(of: executable, at: addresses.subtracting([0]))
    var all = GateFunctions(hasInlined: !names.isEmpty)
    var short: [String: String] = [:]
    for (cell, profile) in profiles {
      let least = Int(Double(profile.total) * Self.shareMin)
      for (place, count) in profile.instructions {
        let symbol = names[place.address] ?? place.function
        let name = short[symbol] ?? FunctionName.short(symbol)
        short[symbol] = name
        all.cells[cell, default: [:]][name, default: 0] += count
      }
      precondition(
        all.cells[cell, default: [:]].values.reduce(0, +) == profile.total,
        "the functions of a cell have all its instructions")
      all.cells[cell] = all.cells[cell]?.filter { $0.value >= least }
    }
    return all
  }

  /// Reads it from a gate's folder; empty where there is none: it decides nothing.
  package static func read(in folder: String) -> GateFunctions {
    let data = FileManager.default.contents(atPath: folder + "/" + fileName)
    return data.flatMap { try? JSONDecoder().decode(GateFunctions.self, from: $0) } ?? GateFunctions()
  }

  package func write(in folder: String) throws(ReportingError) {
    try GateFile.write(self, to: folder + "/" + Self.fileName)
  }
}

/// JSON files of a gate's folder.
enum GateFile {
  static func write(_ document: some Encodable, to path: String) throws(ReportingError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try (encoder.encode(document) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ReportingError(writing: path, error)
    }
  }
}
