import Foundation

extension ScenarioLoader {
  /// The loader of an executable: with the scenarios of the package around it or around the current folder, or else with
  /// those that are in the executable.
  package init(vocabulary: ScenarioVocabulary, executable: String) {
    if let library = Self.libraryPath(executable: executable) {
      self.init(vocabulary: vocabulary, library: library)
    } else {
      self.init(vocabulary: vocabulary, library: EmbeddedLibrary.folder())
      isLibraryCopied = true
    }
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
