import Foundation

/// `scripts/plot` of the package that this executable was built from.
struct PlotScript {
  let path: String

  /// The script in a folder around the executable; nil when the executable was taken elsewhere.
  static func find(around executable: String = Executable.path) -> PlotScript? {
    var folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
    while folder.path != "/" {
      let script = folder.appendingPathComponent("scripts/plot").path
      if FileManager.default.isExecutableFile(atPath: script) { return PlotScript(path: script) }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// Draws the pictures of a results folder; its messages go to standard error.
  ///
  /// - Returns: Whether it ended well.
  func draw(_ folder: String) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [folder]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }
}
