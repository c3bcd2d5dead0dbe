import Foundation
import Reporting

/// A package with a strategy of its own: the example of contextbench under other names, with a test and a CI file.
struct StrategyPackage {
  /// Name of the strategy, and of the executable.
  let strategy: String
  /// The checkout of contextbench.
  let root: String

  private static let example = "Examples/OwnStrategy"

  /// The checkout around an executable; nil when it was taken elsewhere.
  static func root(around executable: String) -> String? {
    var folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.path + "/\(example)/Package.swift") { return folder.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// The build folder of a checkout that an executable is in; nil when it is not in the checkout.
  static func buildFolder(of executable: String, in checkout: String) -> String? {
    let root = URL(fileURLWithPath: checkout).standardizedFileURL.pathComponents
    let path = URL(fileURLWithPath: executable).standardizedFileURL.pathComponents
    guard path.starts(with: root), path.count > root.count + 1 else { return nil }
    return URL(fileURLWithPath: checkout).standardizedFileURL.path + "/" + path[root.count]
  }

  /// `OfflineFirst` of `offline-first`.
  private var typeName: String {
    strategy.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// Writes the package.
  ///
  /// - Throws: `ReportingError` when the example cannot be read, or the folder not be written.
  func write(to target: String) throws(ReportingError) {
    precondition(!typeName.isEmpty && !target.isEmpty, "a package has a type and a folder")
    let root = URL(fileURLWithPath: root).standardizedFileURL.path
    let sources = "\(root)/\(Self.example)"
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: sources + "/Sources/own-strategy")
      for name in names where name.hasSuffix(".swift") {
        let text = try String(contentsOfFile: "\(sources)/Sources/own-strategy/\(name)", encoding: .utf8)
        try write(renamed(text), to: "\(target)/Sources/\(strategy)/\(renamed(name))")
      }
      for name in ["rename.yml", "never-refreshed.yml"] {
        let text = try String(contentsOfFile: "\(sources)/\(name)", encoding: .utf8)
        try write(renamed(text), to: "\(target)/Scenarios/\(name)")
      }
      try write(manifest(root), to: target + "/Package.swift")
      try write(test, to: "\(target)/Tests/\(typeName)Tests/\(typeName)Tests.swift")
      try write(workflow, to: target + "/.github/workflows/ci.yml")
      try write(".build/\ncontextbench-results/\n", to: target + "/.gitignore")
    } catch {
      throw ReportingError(
        path: target, cause: "cannot be written: \(ReportingError.reason(error))",
        remedy: "Choose a place that is writable with --out, and a checkout with \(Self.example)")
    }
  }

  private func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func renamed(_ text: String) -> String {
    text.replacing("RefreshingStrategy", with: typeName + "Strategy")
      .replacing("\"refreshing\"", with: "\"\(strategy)\"")
      .replacing("[refreshing", with: "[\(strategy)").replacing("{ refreshing:", with: "{ \(strategy):")
  }

  private func manifest(_ root: String) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    // The checkout of contextbench, which CI has elsewhere.
    let checkout = Context.environment["CONTEXTBENCH"] ?? "\(root)"

    let package = Package(
      name: "\(strategy)",
      // The name is needed: without it SwiftPM takes that of the folder, whatever it is.
      dependencies: [.package(name: "contextbench", path: checkout)],
      targets: [
        .executableTarget(
          name: "\(strategy)",
          dependencies: [
            .product(name: "HarnessKit", package: "contextbench"), .product(name: "CoreData", package: "contextbench"),
          ]),
        .testTarget(name: "\(typeName)Tests", dependencies: [.target(name: "\(strategy)")]),
      ])

    """
  }

  private var test: String {
    """
    import Foundation
    import Testing

    /// Runs the built executable through its scenarios.
    struct \(typeName)Tests {
      @Test(arguments: ["rename", "never-refreshed"]) func theScenarioPasses(name: String) throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
          .deletingLastPathComponent()
        let results = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: results) }
        let process = Process()
        process.executableURL = products.appendingPathComponent("\(strategy)")
        process.arguments = [
          "run", package.appendingPathComponent("Scenarios/\\(name).yml").path, "--quick", "--allow-debug", "--out",
          results.path,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
    }

    """
  }

  private var workflow: String {
    """
    name: \(strategy)
    on: [push, pull_request]
    jobs:
      test:
        runs-on: ubuntu-24.04
        container: swift:6.2-noble
        env:
          # A variable of the repository: what git can clone contextbench from. Package.swift reads CONTEXTBENCH.
          CONTEXTBENCH_URL: ${{ vars.CONTEXTBENCH_URL }}
          CONTEXTBENCH: /opt/contextbench
        steps:
          - uses: actions/checkout@v4
          - run: git clone "${CONTEXTBENCH_URL:?set the variable CONTEXTBENCH_URL of the repository}" "$CONTEXTBENCH"
          - run: '"$CONTEXTBENCH/scripts/prepare"'
          - run: swift test -c release --disable-testable-imports
          - run: >-
              swift run -c release \(strategy) run Scenarios/rename.yml --quick
              --junit junit.xml --github-annotations - --markdown "$GITHUB_STEP_SUMMARY"

    """
  }
}
