import Foundation
import PackagePlugin

/// Gives the `@NSManaged` declarations of a target their code, in a file made before the target is compiled.
///
/// On Apple's systems, where the runtime does it, the file has nothing in it.
@main
struct CoreDataAccessors: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? SwiftSourceModuleTarget else { return [] }
    let sources = swiftFiles(module)
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("CoreDataAccessors.swift")
    var arguments = ["--module", module.moduleName, "--output", output.path] + sources.map(\.path)
    var inputs = sources
    // Only for the types that properties name.
    for dependency in module.recursiveTargetDependencies {
      guard let other = dependency as? SwiftSourceModuleTarget, usesCoreData(other) else { continue }
      let files = swiftFiles(other)
      arguments += ["--dependency", other.moduleName] + files.map(\.path)
      inputs += files
    }
    return [
      .buildCommand(
        displayName: "Writing accessors for @NSManaged in \(module.moduleName)",
        executable: try context.tool(named: "coredata-accessors").url, arguments: arguments, inputFiles: inputs,
        outputFiles: [output])
    ]
  }

  private func swiftFiles(_ module: SwiftSourceModuleTarget) -> [URL] {
    module.sourceFiles.filter { $0.type == .source && $0.url.pathExtension == "swift" }.map(\.url)
  }

  private func usesCoreData(_ module: SwiftSourceModuleTarget) -> Bool {
    module.moduleName != "CoreData" && module.recursiveTargetDependencies.contains { $0.name == "CoreData" }
  }
}
