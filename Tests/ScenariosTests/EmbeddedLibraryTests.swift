import Foundation
import ScenarioSamples
import Testing

@testable import Scenarios

@Suite struct EmbeddedLibraryTests {
  private static let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scenarios").path

  /// A folder that is gone after the body.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func everyFileOfTheFolderIsInExecutables() throws {
    let names = FileManager.default.enumerator(atPath: Self.shipped)?.compactMap { $0 as? String } ?? []
    var texts: [String: String] = [:]
    for name in names {
      var isFolder: ObjCBool = false
      let path = Self.shipped + "/" + name
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      texts[name] = try String(contentsOfFile: path, encoding: .utf8)
    }
    let embedded = Dictionary(uniqueKeysWithValues: EmbeddedLibrary.files.map { ($0.path, $0.text) })
    #expect(Set(embedded.keys) == Set(texts.keys), "call scripts/embed-scenarios")
    #expect(embedded == texts)
  }

  @Test func theyAreWrittenToTheCacheAndMadeWholeAgain() throws {
    try withFolder { cache in
      let folder = try #require(EmbeddedLibrary.folder(["XDG_CACHE_HOME": cache, "HOME": "/nowhere"]))
      #expect(folder.hasPrefix(cache + "/contextbench/Scenarios-"))
      let text = try String(contentsOfFile: folder + "/import.yml", encoding: .utf8)
      try "notes: 1\n".write(toFile: folder + "/import.yml", atomically: true, encoding: .utf8)
      try FileManager.default.removeItem(atPath: folder + "/hazards")
      #expect(EmbeddedLibrary.folder(["XDG_CACHE_HOME": cache]) == folder)
      #expect(try String(contentsOfFile: folder + "/import.yml", encoding: .utf8) == text)
      #expect(FileManager.default.fileExists(atPath: folder + "/hazards/deadlock.yml"))
    }
  }

  @Test func withoutACacheTheyAreAmongTemporaryFiles() throws {
    for environment in [[:], ["HOME": "/proc/nowhere"], ["XDG_CACHE_HOME": "relative"]] {
      let folder = try #require(EmbeddedLibrary.folder(environment))
      #expect(folder.hasPrefix(URL(fileURLWithPath: NSTemporaryDirectory()).standardizedFileURL.path))
    }
  }

  @Test func aScenarioOfACopyGoesByItsName() throws {
    try withFolder { folder in
      try minimal.write(toFile: folder + "/a.yml", atomically: true, encoding: .utf8)
      var loader = ScenarioLoader(vocabulary: testVocabulary, library: folder)
      #expect(try loader.load(["a"])[0].path == folder + "/a.yml")
      loader.libraries[0].isCopied = true
      #expect(try loader.load(["a"])[0].path == "a")
      #expect(try loader.load([folder + "/a.yml"])[0].path == "a")
    }
  }
}
