// swift-tools-version: 6.2
import PackageDescription

// jemalloc replaces malloc in the executable; sanitizers bring their own allocator, so their builds leave it out.
let usesJemalloc = Context.environment["CONTEXTBENCH_NO_JEMALLOC"] == nil

/// Test targets of what is concurrent. `scripts/test --sanitize thread` builds and runs no others.
let concurrentTests: Set = [
  "SchedulingTests", "SQLiteTests", "CoreDataTests", "ScenariosTests", "BoundaryTests", "CellsTests", "RunsTests",
  "ExploringTests",
]
/// Folders of CoreDataTests that start no thread, a third of it: that build leaves them out.
let foldersOfOneThread = ["Fetch", "Interface", "Model", "Predicate", "SQLiteStore", "Undo", "Validation"]
let hasOnlyConcurrentTests = Context.environment["CONTEXTBENCH_CONCURRENT_TESTS"] != nil

let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
  ] + (Context.environment["CONTEXTBENCH_MUTANTS"] == nil ? [] : [.define("MUTANTS")])
/// Of targets in which no cell spends its time: to optimise them is a third of a release build's work and makes no cell faster.
let unoptimised = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
  name: "contextbench",
  products: [
    .executable(name: "contextbench", targets: ["contextbench"]),
    .executable(name: "coredata", targets: ["coredata-tool"]),
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(name: "HarnessKit", targets: ["HarnessKit"]),
    .library(name: "ContextTesting", targets: ["ContextTesting"]),
    .library(name: "ExploredTests", targets: ["ExploredTests"]),
    .plugin(name: "CoreDataAccessors", targets: ["CoreDataAccessors"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    .package(url: "https://github.com/swiftcsv/SwiftCSV", exact: "0.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CFloor", dependencies: ["CSQLite"]),
    .target(name: "CPowerLoss", dependencies: ["CSQLite"]),
    .target(name: "CMemoryFiles", dependencies: ["CSQLite"]),
    .target(name: "CProcess"),
    .target(name: "CRuntime"),
    .target(name: "CScenarios"),
    // What links this has its calls of threads and queues simulated where a simulation runs; the stack and the harness do not.
    .target(name: "CInterception", dependencies: ["CRuntime"]),
    .target(
      name: "ContextTesting", dependencies: ["CInterception", "CoreData", "Scheduling"], swiftSettings: settings),
    // Takes the place of the test libraries' entries: `contextbench test` adds it to the tests of a package.
    .target(
      name: "ExploredTests", dependencies: ["CInterception", "ContextTesting", "Scheduling"], swiftSettings: settings),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: settings),
    .target(name: "Scheduling", dependencies: ["CRuntime"], swiftSettings: settings),
    .target(name: "RowStore", dependencies: ["CRuntime", "SQLite", "Scheduling"], swiftSettings: settings),
    .target(
      name: "CoreData", dependencies: ["CRuntime", "CZlib", "SQLite", "Scheduling", "RowStore"],
      swiftSettings: settings),
    .target(name: "ManagedSources", swiftSettings: settings),
    .executableTarget(name: "coredata-accessors", dependencies: ["ManagedSources"], swiftSettings: settings),
    .plugin(name: "CoreDataAccessors", capability: .buildTool(), dependencies: ["coredata-accessors"]),
    .target(
      name: "Measuring",
      dependencies: ["CZlib", .product(name: "Histogram", package: "hdrhistogram-swift")],
      swiftSettings: settings),
    .target(name: "Checking", dependencies: ["SQLite"], swiftSettings: settings),
    .target(name: "Reporting", dependencies: ["Measuring", "Checking"], swiftSettings: unoptimised),
    .target(
      name: "Scenarios",
      dependencies: ["CScenarios", "Checking", "Reporting", .product(name: "Yams", package: "Yams")],
      swiftSettings: settings),
    .target(
      name: "Boundary", dependencies: ["CProcess", "Scheduling", "Measuring", "Checking", "Scenarios"],
      swiftSettings: settings),
    .target(
      name: "Cells",
      dependencies: [
        "CFloor", "CPowerLoss", "CMemoryFiles", "CProcess", "SQLite", "Scheduling", "RowStore", "CoreData", "Measuring",
        "Checking", "Scenarios", "Boundary",
      ],
      swiftSettings: settings),
    // Neither Cells nor the stack under them: who judges a cell sees what it left behind, and nothing else.
    .target(
      name: "Runs",
      dependencies: ["CProcess", "SQLite", "Measuring", "Checking", "Reporting", "Scenarios", "Boundary"],
      swiftSettings: unoptimised),
    .target(
      name: "Trials",
      dependencies: [
        "Scheduling", "SQLite", "CoreData", "Measuring", "Checking", "Scenarios", "Boundary", "Cells",
      ],
      swiftSettings: unoptimised),
    .target(
      name: "Exploring",
      dependencies: [
        "Scheduling", "Measuring", "Checking", "Reporting", "Scenarios", "Boundary", "Cells", "Runs",
      ],
      swiftSettings: settings),
    .target(
      name: "Commands",
      dependencies: [
        "Scheduling", "Measuring", "Checking", "Reporting", "Scenarios", "Boundary", "Cells", "Trials", "Runs",
        "Exploring", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: unoptimised),
    .executableTarget(
      name: "coredata-tool",
      dependencies: [
        "CoreData", "ManagedSources", "Reporting", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .target(
      name: "HarnessKit",
      dependencies: ["Scheduling", "Checking", "Scenarios", "Boundary", "Cells", "Commands"],
      swiftSettings: settings),
    .executableTarget(
      name: "contextbench", dependencies: ["Commands", "Measuring"] + (usesJemalloc ? ["CJemalloc"] : []),
      swiftSettings: settings),
    // The example's sources, which see of the package what any other package sees.
    .executableTarget(
      name: "OwnStrategy", dependencies: ["HarnessKit", "CoreData"],
      path: "Examples/OwnStrategy/Sources/own-strategy", packageAccess: false, swiftSettings: settings),
    // What `contextbench recommend` prints.
    .target(
      name: "Arrangements", dependencies: ["CoreData"], path: "Examples/Arrangements", packageAccess: false,
      swiftSettings: settings),
    .executableTarget(
      name: "SchedulingProbe", dependencies: ["Scheduling"], path: "Tests/SchedulingProbe", swiftSettings: settings),
    .executableTarget(
      name: "StackSpeed", dependencies: ["HarnessKit", "CoreData", "Measuring"] + (usesJemalloc ? ["CJemalloc"] : []),
      path: "Tests/StackSpeed", swiftSettings: settings),
    .executableTarget(
      name: "CoreDataProbe", dependencies: ["CoreData", "Scheduling", "SQLite"], path: "Tests/CoreDataProbe",
      swiftSettings: settings),
    .target(
      name: "SimulatedDatabase", dependencies: ["Checking"], path: "Tests/SimulatedDatabase", swiftSettings: settings),
    .executableTarget(
      name: "CheckSpeed", dependencies: ["Checking", "Measuring", "SimulatedDatabase"], path: "Tests/CheckSpeed",
      swiftSettings: settings),
    .executableTarget(name: "Fuzz", dependencies: ["CoreData", "SQLite"], path: "Tests/Fuzz", swiftSettings: settings),
    .testTarget(
      name: "CoreDataTests", dependencies: ["CoreData", "RowStore", "Scheduling", "SQLite", "CoreDataProbe"],
      exclude: ["Interface/Interface.txt"], swiftSettings: settings),
    .target(
      name: "ScenarioSamples", dependencies: ["Scenarios"], path: "Tests/ScenarioSamples", swiftSettings: settings),
    .testTarget(
      name: "ScenariosTests", dependencies: ["Scenarios", "ScenarioSamples", "Checking"], swiftSettings: settings),
    .testTarget(
      name: "BoundaryTests", dependencies: ["Boundary", "Scheduling", "Measuring", "Checking"], swiftSettings: settings),
    .testTarget(
      name: "CellsTests",
      dependencies: [
        "Cells", "Boundary", "Scenarios", "ScenarioSamples", "CoreData", "Scheduling", "SQLite", "Measuring",
        "Checking", "Arrangements",
      ],
      swiftSettings: settings),
    .testTarget(name: "TrialsTests", dependencies: ["Trials", "CoreData"], swiftSettings: settings),
    .testTarget(
      name: "RunsTests",
      dependencies: [
        "Runs", "Cells", "Boundary", "Scenarios", "ScenarioSamples", "Measuring", "Checking", "Reporting",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ExploringTests",
      dependencies: ["Exploring", "Boundary", "Scenarios", "ScenarioSamples", "Checking", "Reporting", "Scheduling"],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "contextbench", "coredata-tool", "OwnStrategy", "Boundary", "Scenarios", "Checking", "Measuring", "Reporting",
        "SQLite",
      ],
      swiftSettings: settings),
    .testTarget(name: "ManagedSourcesTests", dependencies: ["ManagedSources"], swiftSettings: settings),
    .testTarget(
      name: "MeasuringTests",
      dependencies: ["Measuring", "Scheduling", .product(name: "Histogram", package: "hdrhistogram-swift")],
      swiftSettings: settings),
    .testTarget(
      name: "ReportingTests",
      dependencies: [
        "Reporting", "Measuring", "Checking", "Scheduling", .product(name: "SwiftCSV", package: "SwiftCSV"),
      ],
      swiftSettings: settings),
    // Takes over the calls of its process: no test target, and no target depends on it, since tests would have its code.
    .executableTarget(
      name: "ContextTestingTests",
      dependencies: ["CInterception", "ContextTesting", "CoreData", "Scheduling", "SQLite"],
      path: "Tests/ContextTestingTests", swiftSettings: settings),
    // The same of tests that `contextbench test` explores, as a test product of SwiftPM's has them.
    .executableTarget(
      name: "ExploredFixture", dependencies: ["CoreData", "ExploredTests"], path: "Tests/ExploredFixture",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(name: "SchedulingTests", dependencies: ["Scheduling", "SchedulingProbe"], swiftSettings: settings),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "CMemoryFiles"], swiftSettings: settings),
    .testTarget(name: "TidyTests", swiftSettings: settings),
    .testTarget(
      name: "CheckingTests", dependencies: ["Checking", "SimulatedDatabase", "SQLite"], swiftSettings: settings),
    .testTarget(name: "CFloorTests", dependencies: ["CFloor", "Checking", "SQLite"], swiftSettings: settings),
  ]
    + (usesJemalloc
      ? [.systemLibrary(name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"])])] : [])
)

// What lies outside of Sources belongs to tests and examples.
if hasOnlyConcurrentTests {
  let used: Set = ["SchedulingProbe", "CoreDataProbe", "ScenarioSamples", "Arrangements"]
  package.targets.removeAll { target in
    let isForTests = target.isTest || target.path != nil
    return isForTests && !concurrentTests.union(used).contains(target.name)
  }
  package.targets.first { $0.name == "CoreDataTests" }?.exclude = foldersOfOneThread
}
