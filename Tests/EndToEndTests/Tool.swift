import Foundation
import FoundationXML
import Testing

/// Runs the built executable.
struct Tool {
  /// The outcome of a run of it.
  struct Result {
    var status: Int32
    var output: String
    var errors: String
    /// The last line of the output: the results folder.
    var folder: String { output.split(separator: "\n").last.map(String.init) ?? "" }
  }

  /// A folder of its own, removed by `remove()`.
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes a file into the folder.
  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    return name
  }

  /// The text of a file in the folder.
  func text(_ name: String) throws -> String { try String(contentsOfFile: folder + "/" + name, encoding: .utf8) }

  /// The types of all failures and errors of a JUnit file, as a parser sees them.
  func failures(inJUnit name: String) throws -> [String] {
    final class Reader: NSObject, XMLParserDelegate {
      var types: [String] = []
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
      ) {
        if name == "failure" || name == "error" { types.append(attributes["type"] ?? "") }
      }
    }
    let parser = XMLParser(data: Data(try text(name).utf8))
    let reader = Reader()
    parser.delegate = reader
    _ = parser.parse()
    if let error = parser.parserError { throw error }
    return reader.types
  }

  /// The executable: that of the release build which scripts/test makes, or the one beside the tests.
  static let executable =
    ProcessInfo.processInfo.environment["CONTEXTBENCH_TESTED"].map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath()
    }
    ?? built("contextbench")

  static func built(_ name: String) -> URL {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent(name)
  }

  /// Starts it in the folder, its outputs in files.
  ///
  /// - Parameter input: the file of the folder that it reads.
  func start(_ arguments: [String], of executable: URL = Self.executable, input: String? = nil) throws -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    for name in ["out", "err"] { try Data().write(to: URL(fileURLWithPath: folder + "/" + name)) }
    process.standardInput = input.flatMap { FileHandle(forReadingAtPath: folder + "/" + $0) } ?? .nullDevice
    // The cache of an executable goes with the folder.
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_CACHE_HOME": folder + "/cache"]) { $1 }
    process.standardOutput = FileHandle(forWritingAtPath: folder + "/out")
    process.standardError = FileHandle(forWritingAtPath: folder + "/err")
    try process.run()
    return process
  }

  /// The result of a started process, once it has ended.
  func finish(_ process: Process) throws -> Result {
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: try String(contentsOfFile: folder + "/out", encoding: .utf8),
      errors: try String(contentsOfFile: folder + "/err", encoding: .utf8))
  }

  /// Runs it to its end.
  func run(_ arguments: [String]) throws -> Result { try finish(start(arguments)) }

  /// Runs `coredata` to its end.
  func runCoreData(_ arguments: [String]) throws -> Result { try finish(start(arguments, of: Self.built("coredata"))) }

  /// The data rows of a CSV file, by column; the files of these tests have no line ends within fields.
  func rows(_ file: String, in results: String) throws -> [[String: String]] {
    let lines = try String(contentsOfFile: folder + "/" + results + "/" + file, encoding: .utf8)
      .split(separator: "\r\n").flatMap { $0.split(separator: "\n") }.map { Self.fields(String($0)) }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }

  private static func fields(_ line: String) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields
  }

  /// The cells with this process as parent.
  static func children(of parent: Int32) -> [Int32] {
    let text = try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
    let direct = (text ?? "").split(separator: " ").compactMap { Int32($0) }
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
    let others = tasks.filter { $0 != String(parent) }.flatMap { task in
      ((try? String(contentsOfFile: "/proc/\(parent)/task/\(task)/children", encoding: .utf8)) ?? "")
        .split(separator: " ").compactMap { Int32($0) }
    }
    return (direct + others).filter(isCell)
  }

  /// A run also asks git and other commands.
  private static func isCell(_ process: Int32) -> Bool {
    let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    return (line ?? "").split(separator: "\0").dropFirst().first == "cell"
  }

  /// Looks again and again until a value is there; fails when that takes too long.
  static func eventually<Value>(withinSeconds seconds: Double = 30, _ look: () throws -> Value?) throws -> Value {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
      if let value = try look() { return value }
      usleep(2_000)
    }
    return try #require(nil as Value?, "it happened within \(seconds) s")
  }
}
