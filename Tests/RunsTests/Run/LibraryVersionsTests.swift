import Foundation
import Testing

@testable import Runs

struct LibraryVersionsTests {
  @Test func thePackagesAreThoseOfTheManifest() throws {
    var root = URL(fileURLWithPath: #filePath)
    while !FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path) {
      root.deleteLastPathComponent()
    }
    let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
    var declared: [String: String] = [:]
    for match in manifest.matches(of: #/url: "[^"]*\/(?<name>[^"\/]+)", exact: "(?<version>[^"]+)"/#) {
      declared[String(match.name)] = String(match.version)
    }
    #expect(!declared.isEmpty)
    #expect(LibraryVersions.packages == declared)
  }

  @Test func everyLibraryHasAVersion() {
    for name in ["sqlite", "zlib", "swift"] {
      #expect(LibraryVersions.all[name]?.contains { $0.isNumber } == true, "\(name)")
    }
  }
}
