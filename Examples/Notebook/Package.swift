// swift-tools-version: 6.2
import PackageDescription

// Model classes as Xcode generates them, unchanged but for what Linux refuses (`contextbench port`).
let package = Package(
  name: "Notebook",
  dependencies: [.package(name: "contextbench", path: "../..")],
  targets: [
    .target(
      name: "NotebookModel",
      dependencies: [.product(name: "CoreData", package: "contextbench")],
      plugins: [.plugin(name: "CoreDataAccessors", package: "contextbench")]),
    .executableTarget(name: "notebook", dependencies: ["NotebookModel"]),
  ])
