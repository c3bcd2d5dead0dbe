// swift-tools-version: 6.2
import PackageDescription

// Model classes as Xcode generates them, unchanged but for what Linux refuses (`coredata port`); and an app's target with
// its model file.
let package = Package(
  name: "Notebook",
  dependencies: [.package(name: "contextbench", path: "../..")],
  targets: [
    .target(
      name: "NotebookModel",
      dependencies: [.product(name: "CoreData", package: "contextbench")],
      plugins: [.plugin(name: "CoreDataAccessors", package: "contextbench")]),
    .executableTarget(name: "notebook", dependencies: ["NotebookModel"]),
    // Journal.xcdatamodeld becomes Journal.momd, and its classes are made.
    .target(name: "Palette"),
    .target(
      name: "Journal",
      dependencies: ["Palette", .product(name: "CoreData", package: "contextbench")],
      plugins: [.plugin(name: "CoreDataAccessors", package: "contextbench")]),
    .testTarget(name: "JournalTests", dependencies: ["Journal", "Palette"]),
  ])
