import Foundation
import ManagedSources

// The program of the build-tool plugin CoreDataAccessors.

/// Writes what is made of the module's models; the text of their classes.
func writeModels(_ arguments: AccessorArguments) throws -> String? {
  let bundles = try arguments.models.map { model in (try ModelBundle(model.path), model.folder) }
  for (bundle, folder) in bundles { try bundle.write(to: folder) }
  guard let file = arguments.classes else { return nil }
  let text = ModelClassWriter.file(for: try bundles.map { try $0.0.entities() })
  try text.write(toFile: file, atomically: true, encoding: .utf8)
  return text
}

func report(_ problem: SourceProblem) {
  FileHandle.standardError.write(Data("\(problem.path):\(problem.line): error: \(problem.message)\n".utf8))
}

do {
  let arguments = try AccessorArguments(Array(CommandLine.arguments.dropFirst()))
  let sources = try arguments.sources(classes: try writeModels(arguments))
  switch AccessorWriter.file(for: sources, dependencies: try arguments.dependencies()) {
  case .success(let text): try text.write(toFile: arguments.output, atomically: true, encoding: .utf8)
  case .failure(let problems):
    problems.all.forEach(report)
    exit(1)
  }
} catch let error as AccessorArguments.Wrong {
  FileHandle.standardError.write(Data("coredata-accessors: \(error.message)\n\(AccessorArguments.usage)\n".utf8))
  exit(64)
} catch let problem as SourceProblem {
  report(problem)
  exit(1)
} catch {
  FileHandle.standardError.write(Data("coredata-accessors: \(error.localizedDescription)\n".utf8))
  exit(1)
}
