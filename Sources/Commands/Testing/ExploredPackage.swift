import Boundary
import Foundation

/// A package with tests to explore: built beside its sources, which stay as they are.
///
/// SwiftPM builds a folder of links to the package's files. Only the manifest is a copy: it ends with lines that give each test
/// target the product `ExploredTests`.
struct ExploredPackage: Sendable {
  /// Its folder.
  let root: String
  /// The checkout of contextbench.
  let contextbench: String
  let scratch: String
  let configuration: String

  private var copy: String { root + "/.build/explored-tests" }

  /// Builds the tests, and gives the executables that have them.
  ///
  /// - Throws: `HarnessFailure` with the build's output.
  func build(log: String) throws(HarnessFailure) -> [String] {
    precondition([root, scratch, log].allSatisfy { $0.hasPrefix("/") }, "folders of a build are named from the root")
    precondition(contextbench.hasPrefix("/"), "the manifest names the checkout from the root")
    do {
      try makeCopy()
    } catch {
      throw HarnessFailure("\(copy): cannot be written: \(error)")
    }
    let arguments = ["--package-path", copy, "--scratch-path", scratch, "--configuration", configuration]
    // Plans that SwiftPM keeps are of the package as it is.
    let words = ["swift", "build", "--build-tests", "--disable-build-manifest-caching"] + arguments
    guard try run(words, output: log) == 0 else {
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      let errors = text.split(separator: "\n").filter { $0.contains("error:") && !$0.contains("compiled with") }
      let shown = errors.isEmpty ? text.split(separator: "\n").suffix(10) : errors.prefix(10)
      throw HarnessFailure("the tests of \(root) cannot be built:\n\(shown.joined(separator: "\n"))\nAll of it: \(log)")
    }
    let place = log + ".place"
    guard try run(["swift", "build", "--show-bin-path"] + arguments, output: place) == 0,
      let folder = try? String(contentsOfFile: place, encoding: .utf8).split(separator: "\n").last,
      let names = try? FileManager.default.contentsOfDirectory(atPath: String(folder))
    else { throw HarnessFailure("the build folder of \(root) is not found: \(place)") }
    let own = names.filter { $0 == "\(name)PackageTests.xctest" }
    return (own.isEmpty ? names.filter { $0.hasSuffix("PackageTests.xctest") } : own).map { "\(folder)/\($0)" }
  }

  private func run(_ words: [String], output: String) throws(HarnessFailure) -> Int32 {
    try? FileManager.default.removeItem(atPath: output)
    let process = try StartedProcess(
      StartedProcess.Start(
        executable: "/usr/bin/env", arguments: words, inputPath: "/dev/null", outputPath: output,
        environment: ProcessInfo.processInfo.environment))
    let end = process.wait()
    return end.signal != 0 ? end.signal : end.status
  }

  /// As its manifest has it.
  private var name: String {
    let text = (try? String(contentsOfFile: root + "/Package.swift", encoding: .utf8)) ?? ""
    return text.firstMatch(of: /name:\s*"([^"]+)"/).map { String($0.1) } ?? ""
  }

  private func makeCopy() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: copy) { try files.removeItem(atPath: copy + "/" + name) }
    for name in try files.contentsOfDirectory(atPath: root) where name != ".build" && name != ".git" {
      if name == "Package.resolved" {
        // SwiftPM may change it.
        try files.copyItem(atPath: root + "/" + name, toPath: copy + "/" + name)
      } else if name.hasPrefix("Package"), name.hasSuffix(".swift") {
        let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
        try (Self.raised(text) + addition).write(toFile: copy + "/" + name, atomically: true, encoding: .utf8)
      } else {
        try files.createSymbolicLink(atPath: copy + "/" + name, withDestinationPath: root + "/" + name)
      }
    }
  }

  /// A manifest of tools that say which kind a dependency is of: those before 5.6 do not.
  private static func raised(_ manifest: String) -> String {
    guard let version = manifest.firstMatch(of: /^\/\/\s*swift-tools-version:\s*(\d+)\.(\d+)[.\d]*/),
      let major = Int(version.1), let minor = Int(version.2), (major, minor) < (5, 6)
    else { return manifest }
    return "// swift-tools-version:5.6" + manifest[version.range.upperBound...]
  }

  /// The end of the manifest.
  private var addition: String {
    """


    // Added by contextbench test.
    let hasExploredTests = package.targets.contains { $0.name == "ExploredTests" }
    let exploredTests: Target.Dependency =
      hasExploredTests ? .target(name: "ExploredTests") : .product(name: "ExploredTests", package: "contextbench")
    // A place in relation to the package is none in relation to this copy.
    package.dependencies = package.dependencies.compactMap { dependency in
      switch dependency.kind {
      case .fileSystem(let name, let path):
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : "\(root)/" + path).split(separator: "/") where part != "." {
          if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        let whole = "/" + parts.joined(separator: "/")
        if whole == "\(contextbench)" { return nil }
        return name.map { .package(name: $0, path: whole) } ?? .package(path: whole)
      default:
        return dependency
      }
    }
    let dependsOnContextbench = package.dependencies.contains { dependency in
      if case .sourceControl(_, let location, _) = dependency.kind { return location.contains("/contextbench") }
      return false
    }
    if !hasExploredTests, !dependsOnContextbench {
      package.dependencies.append(.package(name: "contextbench", path: "\(contextbench)"))
    }
    for target in package.targets where target.isTest { target.dependencies.append(exploredTests) }

    """
  }
}
