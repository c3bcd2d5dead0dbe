// swift-tools-version: 6.2
import PackageDescription

// Small races of code that uses Core Data, each careless and mended; the tests find each careless one in some order.
let package = Package(
  name: "Races",
  dependencies: [.package(name: "contextbench", path: "../..")],
  targets: [
    .target(name: "Races", dependencies: [.product(name: "CoreData", package: "contextbench")]),
    .testTarget(
      name: "RacesTests", dependencies: ["Races", .product(name: "ContextTesting", package: "contextbench")]),
  ])
