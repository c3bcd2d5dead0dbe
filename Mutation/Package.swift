// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a build of contextbench does not build swift-syntax.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "Mutation",
  dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1")],
  targets: [
    .target(
      name: "Mutants",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftOperators", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .executableTarget(name: "mutate", dependencies: ["Mutants"], swiftSettings: settings),
    .testTarget(name: "MutantsTests", dependencies: ["Mutants"], swiftSettings: settings),
  ]
)
