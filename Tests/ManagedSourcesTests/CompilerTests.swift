import Foundation
import ManagedSources
import Testing

/// The basis of the package: this toolchain takes `@NSManaged` on Linux, and asks the linker for the names that are made
/// here.
struct CompilerTests {
  @Test(arguments: [
    ["-Onone", "-enable-testing"],
    // As release builds are made: the module's optimised code is offered to other modules.
    ["-O", "-wmo", "-Xfrontend", "-enable-default-cmo"],
  ])
  func everyAccessorIsFoundByTheLinker(options: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("accessors-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let accessors = try AccessorWriter.file(for: ModelSource.sources(ModelSource.text, path: "Model.swift")).get()
    for (name, text) in [
      ("CoreData.swift", StubCoreData.text), ("Model.swift", ModelSource.text), ("Accessors.swift", accessors),
      ("Client.swift", ModelSource.client),
    ] {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    try compile(
      ["-module-name", "CoreData", "-emit-module", "-emit-library", "-o", "libCoreData.so", "CoreData.swift"],
      in: folder)
    try compile(
      options + [
        "-swift-version", "6", "-I.", "-L.", "-lCoreData", "-module-name", "Model", "-emit-library", "-o",
        "libModel.so",
        "-Xlinker", "-z", "-Xlinker", "defs", "Model.swift", "Accessors.swift",
      ], in: folder)
  }

  private func compile(_ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    process.currentDirectoryURL = folder
    let log = folder.appendingPathComponent("log")
    try Data().write(to: log)
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOf: log, encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(text)")
  }
}
