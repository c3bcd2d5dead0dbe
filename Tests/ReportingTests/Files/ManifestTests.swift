import Foundation
import Measuring
import Testing

@testable import Reporting

struct ManifestTests {
  static let manifest = Manifest(
    run: "20260102-030405-00ff", version: "0.1.0", revision: "abc", command: "run",
    arguments: ["run", "Scenarios/import.yml", "--quick"], scenarios: ["Scenarios/import.yml"], seeds: [1, 2],
    startedAt: Date(timeIntervalSince1970: 1_767_323_045), allocator: "jemalloc 5.3.0", storeFileSystem: "ext4",
    libraries: ["SQLite": "3.40.1"], sqliteOptions: ["journal_mode": "wal"])

  @Test func survivesTheFile() throws {
    let folder = try TemporaryFolder()
    try Self.manifest.write(in: folder.path)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let read = try decoder.decode(Manifest.self, from: Data(folder.text("manifest.json").utf8))
    #expect(read.run == Self.manifest.run)
    #expect(read.startedAt == Self.manifest.startedAt)
    #expect(read.machine == Self.manifest.machine)
    #expect(read.libraries == ["SQLite": "3.40.1"])
    #expect(read.seeds == [1, 2])
  }

  @Test func keysAreSnakeCaseAndDatesISO() throws {
    let text = String(decoding: try Self.manifest.json(), as: UTF8.self)
    #expect(text.contains("\"started_at\" : \"2026-01-02T03:04:05Z\""))
    #expect(text.contains("\"store_file_system\" : \"ext4\""))
    #expect(text.contains("Scenarios/import.yml"))
    #expect(text.hasSuffix("}\n"))
  }

  /// Keys of a dictionary are data: a library keeps its name, a pragma its spelling.
  @Test func namesOfLibrariesAndPragmasAreKept() throws {
    let text = String(decoding: try Self.manifest.json(), as: UTF8.self)
    #expect(text.contains("\"SQLite\" : \"3.40.1\""))
    #expect(text.contains("\"journal_mode\" : \"wal\""))
  }

  @Test func aMissingFolderIsNamedWithARemedy() {
    let error = #expect(throws: ReportingError.self) { try Self.manifest.write(in: "/no/such/folder") }
    #expect(error?.path == "/no/such/folder/manifest.json")
  }
}
