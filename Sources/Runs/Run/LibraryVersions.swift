import Measuring
import SQLite

/// The libraries this executable is made of, with their versions.
enum LibraryVersions {
  /// SQLite's and zlib's as loaded, the compiler's, and those of the packages.
  static var all: [String: String] {
    packages.merging(["sqlite": Connection.libraryVersion, "zlib": HistogramLog.compressorVersion, "swift": compiler]) {
      package, _ in package
    }
  }

  /// The exact versions that Package.swift asks for; a test compares them.
  static let packages = [
    "swift-argument-parser": "1.8.2", "Yams": "6.2.2", "hdrhistogram-swift": "0.2.0", "SwiftCSV": "0.10.0",
  ]

  // A compiler does not say its version to the program, but answers questions about it.
  #if compiler(>=6.4)
    private static let compiler = "6.4 or newer"
  #elseif compiler(>=6.3.2)
    private static let compiler = "6.3.2 or newer"
  #elseif compiler(>=6.3.1)
    private static let compiler = "6.3.1"
  #elseif compiler(>=6.3)
    private static let compiler = "6.3"
  #else
    private static let compiler = "6.2"
  #endif
}
