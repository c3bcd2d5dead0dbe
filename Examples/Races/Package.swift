// swift-tools-version: 6.2
import PackageDescription

// Small races of code that uses Core Data, each careless and mended; the tests find each careless one in some order.
let package = Package(
  name: "Races",
  dependencies: [.package(name: "contextbench", path: "../..")],
  targets: [
    .target(name: "Races", dependencies: [.product(name: "CoreData", package: "contextbench")]),
    // Each race again and again, with nothing that chooses its order: for the other columns of results/races.
    .executableTarget(name: "repeated-races", dependencies: ["Races"]),
    .testTarget(
      name: "RacesTests", dependencies: ["Races", .product(name: "ContextTesting", package: "contextbench")]),
  ])
