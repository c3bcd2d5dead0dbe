import Foundation
import ManagedSources

// What the build-tool plugin CoreDataAccessors runs.

do {
  let arguments = try AccessorArguments(Array(CommandLine.arguments.dropFirst()))
  switch AccessorWriter.file(for: try arguments.sources(), dependencies: try arguments.dependencies()) {
  case .success(let text): try text.write(toFile: arguments.output, atomically: true, encoding: .utf8)
  case .failure(let problems):
    for problem in problems.all {
      FileHandle.standardError.write(Data("\(problem.path):\(problem.line): error: \(problem.message)\n".utf8))
    }
    exit(1)
  }
} catch let error as AccessorArguments.Wrong {
  FileHandle.standardError.write(Data("coredata-accessors: \(error.message)\n\(AccessorArguments.usage)\n".utf8))
  exit(64)
} catch {
  FileHandle.standardError.write(Data("coredata-accessors: \(error.localizedDescription)\n".utf8))
  exit(1)
}
