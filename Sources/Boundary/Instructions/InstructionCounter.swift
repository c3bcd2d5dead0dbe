import Foundation
import Measuring

/// Counts the instructions of a cell's measured span: callgrind runs the cell, which tells it where the span begins and ends.
///
/// The cell runs in a simulation, one task at a time in the order in which they became ready, so that a count depends on
/// the code and the data alone, and not on how threads happened to meet. Costs without an instruction of the process are not
/// counted: waiting, the caches of the processor, the kernel and the disk.
///
/// - SeeAlso: Valgrind's manual, "Callgrind: a call-graph generating cache and branch prediction profiler".
package struct InstructionCounter: Sendable {
  /// How many times longer a cell may take than its `timeout_s` says: callgrind is about so much slower.
  package static let slowdown = 50.0
  /// The cell's file of counts, in its folder.
  private static let fileName = "callgrind.out"

  /// The programs that counting needs, with the package of each on Debian.
  private static let tools = [("valgrind", "valgrind"), ("strip", "binutils"), ("addr2line", "binutils")]

  private let valgrind: String
  private let folder: URL
  /// The copies, by the executable that each is of.
  private let copies: [String: String]

  /// Copies executables without their debug information, which valgrind cannot read as Swift writes it.
  ///
  /// - Throws: `HarnessFailure` when a tool is missing, with the command that installs it, or a copy cannot be made.
  package init(of executables: [String]) throws(HarnessFailure) {
    precondition(!executables.isEmpty, "instructions are those of an executable")
    if let missing = Self.missingTool() { throw HarnessFailure(missing) }
    valgrind = Self.path(of: "valgrind") ?? "valgrind"
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-" + UUID().uuidString)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw HarnessFailure("\(folder.path) cannot be made: \(error)")
    }
    var copies: [String: String] = [:]
    for executable in executables {
      let copy = folder.appendingPathComponent(String(copies.count)).path
      guard ToolOutput.of("strip", ["-S", "-o", copy, executable]) != nil else {
        throw HarnessFailure("strip(1) cannot copy \(executable)")
      }
      copies[executable] = copy
    }
    precondition(copies.count == Set(executables).count, "each executable has its copy")
    self.copies = copies
  }

  /// A sentence on a tool that counting needs and that is missing, with its package; nil when all are installed.
  package static func missingTool() -> String? {
    for (tool, package) in tools where path(of: tool) == nil {
      return "counting instructions needs \(tool): apt-get install \(package)"
    }
    return nil
  }

  private static func path(of tool: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(tool)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The version that valgrind reports; nil when it reports none.
  package var version: String? {
    ToolOutput.of(valgrind, ["--version"])?.split(separator: "-").last.map {
      $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Removes the copies.
  package func removeCopies() { try? FileManager.default.removeItem(at: folder) }

  /// Hashes have no seed, and memory is given out by no clock, so that two runs take the same steps: hashes of objects are
  /// their places.
  package static let environment = [
    "SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no",
  ].merging(AllocationCounter.steadyEnvironment) { $1 }

  /// The same child under callgrind.
  package func counted(_ child: ChildProcess, in directory: String) -> ChildProcess {
    guard let copy = copies[child.executable] else { preconditionFailure("an executable that runs cells was copied") }
    precondition(!directory.isEmpty, "counts go into the folder of their cell")
    return ChildProcess(
      executable: valgrind,
      arguments: [
        "--quiet", "--tool=callgrind", "--cache-sim=no", "--instr-atstart=no", "--dump-instr=yes", "--dump-line=no",
        "--callgrind-out-file=\(directory)/\(Self.fileName)", copy,
      ] + child.arguments,
      inputPath: child.inputPath, outputPath: child.outputPath,
      environment: Self.environment,
      timeoutSeconds: child.timeoutSeconds * Self.slowdown)
  }

  /// The instructions that were counted; nil when the cell did not come to its end.
  package static func total(in directory: String) -> UInt64? {
    (try? String(contentsOfFile: "\(directory)/\(fileName)", encoding: .utf8)).flatMap(total(of:))
  }

  /// The instructions of each place; nil when the cell did not come to its end.
  package static func profile(in directory: String) -> InstructionProfile? {
    (try? String(contentsOfFile: "\(directory)/\(fileName)", encoding: .utf8)).map(InstructionProfile.init)
  }

  /// The last total of a file of callgrind's; nil where there is none, or nothing was counted.
  static func total(of text: String) -> UInt64? {
    let totals = text.split(separator: "\n").compactMap { line -> UInt64? in
      guard line.hasPrefix("totals:") || line.hasPrefix("summary:") else { return nil }
      return line.split(separator: " ").last.flatMap { UInt64($0) }
    }
    return totals.last.flatMap { $0 > 0 ? $0 : nil }
  }
}
