// swift-tools-version: 6.2
import PackageDescription

// A strategy and a workload of one's own, run by the harness.
let package = Package(
  name: "OwnStrategy",
  dependencies: [.package(name: "contextbench", path: "../..")],
  targets: [
    .executableTarget(
      name: "own-strategy",
      dependencies: [
        .product(name: "HarnessKit", package: "contextbench"), .product(name: "CoreData", package: "contextbench"),
      ])
  ])
