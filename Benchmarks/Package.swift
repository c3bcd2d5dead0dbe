// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]

// GRDB takes longer to build than everything else; what counts instructions leaves it out.
let usesGRDB = Context.environment["CONTEXTBENCH_NO_GRDB"] == nil

// The stack as another package uses it, beside the same work in C, in Swift with prepared statements, and with GRDB's
// records. Apart from the product, whose users get none of these dependencies.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "contextbench", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ]
    + (usesGRDB ? [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")] : []),
  targets: [
    // The floor of the harness, by a link.
    .target(
      name: "FloorC", path: "Sources/CFloor", publicHeadersPath: "include", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CPeer", dependencies: ["FloorC"], linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "speed",
      dependencies: [
        "FloorC", "CPeer", .product(name: "CoreData", package: "contextbench"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
        + (usesGRDB ? [.product(name: "GRDB", package: "GRDB.swift")] : []),
      swiftSettings: settings,
      plugins: [.plugin(name: "CoreDataAccessors", package: "contextbench")]),
  ])
