import Foundation

extension ScenarioLoader {
  /// The loader of an executable: with the scenarios of the package around it or around the current folder; and, unless that is
  /// contextbench, with those that are in the executable.
  package init(vocabulary: ScenarioVocabulary, executable: String) {
    let own = Self.libraryPath(executable: executable)
    self.init(vocabulary: vocabulary, library: own)
    if let own, Self.isSource(own) { return }
    if let copy = EmbeddedLibrary.folder() { libraries.append(Library(folder: copy, isCopied: true)) }
  }

  /// Whether the scenarios of the executable come from this folder.
  static func isSource(_ library: String) -> Bool {
    EmbeddedLibrary.files.allSatisfy { FileManager.default.fileExists(atPath: library + "/" + $0.path) }
  }

  /// The folder of the shipped scenarios: `Scenarios` beside the executable's package, or above the current folder.
  public static func libraryPath(executable: String) -> String? {
    let starts = [
      URL(fileURLWithPath: executable), URL(fileURLWithPath: FileManager.default.currentDirectoryPath + "/x"),
    ]
    for start in starts {
      var folder = start.standardizedFileURL.deletingLastPathComponent()
      while folder.path != "/" {
        let library = folder.appendingPathComponent("Scenarios")
        let isPackage = FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
        if isPackage, FileManager.default.fileExists(atPath: library.path) { return library.path }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }
}
