// swift-tools-version: 6.2
import PackageDescription

// GRDB's own arrangement beside the strategies, in scenarios of the harness. Apart from the product, whose users get no GRDB.
let package = Package(
  name: "GRDBPeer",
  dependencies: [
    .package(name: "contextbench", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "grdb-peer",
      dependencies: [
        .product(name: "HarnessKit", package: "contextbench"), .product(name: "CoreData", package: "contextbench"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")])
  ])
