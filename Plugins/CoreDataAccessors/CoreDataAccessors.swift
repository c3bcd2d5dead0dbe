import Foundation
import PackagePlugin

/// Gives the `@NSManaged` declarations of a target their code, in a file made before the target is compiled; and makes of
/// the target's models what Xcode makes of them: `Notes.momd` among the resources, and the classes that the model asks for.
///
/// On Apple's systems, where the runtime and Xcode do it, the files have nothing in them.
@main
struct CoreDataAccessors: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? SwiftSourceModuleTarget else { return [] }
    let sources = swiftFiles(module)
    let folder = context.pluginWorkDirectoryURL
    let output = folder.appendingPathComponent("CoreDataAccessors.swift")
    var arguments = ["--module", module.moduleName, "--output", output.path]
    var inputs = sources
    var outputs = [output]
    let models = models(in: module.directoryURL)
    if !models.isEmpty {
      let classes = folder.appendingPathComponent("CoreDataModels.swift")
      arguments += ["--classes", classes.path]
      outputs.append(classes)
    }
    for model in models {
      let compiled = folder.appendingPathComponent(model.deletingPathExtension().lastPathComponent + ".momd")
      arguments += ["--model", model.path, compiled.path]
      // The bundle itself, too, or SwiftPM warns that nothing handles it.
      inputs += [model] + modelFiles(model)
      outputs.append(compiled)
    }
    arguments += sources.map(\.path)
    // Only for the types that properties name; the stack's own modules have none.
    let stack = module.recursiveTargetDependencies.first { $0.name == "CoreData" }
    let ownNames = Set([stack?.name ?? ""] + (stack?.recursiveTargetDependencies.map(\.name) ?? []))
    for dependency in module.recursiveTargetDependencies where !ownNames.contains(dependency.name) {
      guard let other = dependency as? SwiftSourceModuleTarget else { continue }
      let files = swiftFiles(other)
      arguments += ["--dependency", other.moduleName] + files.map(\.path)
      inputs += files
    }
    return [
      .buildCommand(
        displayName: "Writing accessors for @NSManaged in \(module.moduleName)",
        executable: try context.tool(named: "coredata-accessors").url, arguments: arguments, inputFiles: inputs,
        outputFiles: outputs)
    ]
  }

  private func swiftFiles(_ module: SwiftSourceModuleTarget) -> [URL] {
    module.sourceFiles.filter { $0.type == .source && $0.url.pathExtension == "swift" }.map(\.url)
  }

  /// The models below a folder, those of other models left out.
  private func models(in folder: URL) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [URL] = []
    while let url = all?.nextObject() as? URL {
      guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else { continue }
      all?.skipDescendants()
      found.append(url)
    }
    return found.sorted { $0.path < $1.path }
  }

  /// The files from which a model is read.
  private func modelFiles(_ model: URL) -> [URL] {
    let names = FileManager.default.enumerator(atPath: model.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix("contents") || $0.hasSuffix(".xccurrentversion") }.sorted()
      .map { model.appendingPathComponent($0) }
  }
}
