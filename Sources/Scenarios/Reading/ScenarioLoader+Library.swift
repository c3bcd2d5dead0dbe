import Foundation

extension ScenarioLoader {
  /// The loader of an executable: with the scenarios of the package around it or around the current folder; and then those of
  /// contextbench, from where it was built, or else those that are in the executable.
  package init(vocabulary: ScenarioVocabulary, executable: String) {
    let own = Self.libraryPath(executable: executable)
    self.init(vocabulary: vocabulary, library: own)
    if let built = Self.libraryOfSources() {
      if built != own { libraries.append(Library(folder: built)) }
    } else if own == nil || !EmbeddedLibrary.files.isEmpty, let copy = EmbeddedLibrary.folder() {
      libraries.append(Library(folder: copy, isCopied: true))
    }
  }

  /// Not a default argument: that would be the caller's file.
  static let thisFile: String = #filePath

  /// The folder of the shipped scenarios in the sources that this was built from; nil where they are gone.
  static func libraryOfSources(_ source: String = thisFile) -> String? {
    var folder = URL(fileURLWithPath: source)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let library = folder.appendingPathComponent("Scenarios").path
    return FileManager.default.fileExists(atPath: library + "/import.yml") ? library : nil
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
