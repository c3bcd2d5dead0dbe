import Foundation
import Testing

@testable import Reporting

struct OutputFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func kind(_ name: String) -> mode_t {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// As root a device would be lost for the whole machine.
  @Test func whatIsNoPlainFileIsWrittenIntoAndStays() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    let reader = open(path("pipe"), O_RDWR | O_NONBLOCK)
    defer { close(reader) }
    try OutputFile.write("text", to: path("pipe"))
    #expect(kind("pipe") == S_IFIFO)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(reader, &bytes, bytes.count) == 4 && bytes.prefix(4) == Array("text".utf8)[...])
  }

  @Test func theFileBehindALinkIsWritten() throws {
    #expect(symlink("there", path("link")) == 0)
    for text in ["first", "second"] {
      try OutputFile.write(text, to: path("link"))
      #expect(try String(contentsOfFile: path("there"), encoding: .utf8) == text)
    }
    #expect(kind("link") == S_IFLNK && kind("there") == S_IFREG)
  }

  @Test func aLinkAndTheFileThatItWillMakeAreOne() {
    #expect(symlink("next", path("link")) == 0 && symlink("there", path("next")) == 0)
    #expect(OutputFile.isOne(path("link"), path("there")) && !OutputFile.isOne(path("link"), path("other")))
    #expect(OutputFile.obstacle(path("link")) == nil)
  }

  @Test func whatCannotBeWrittenHasTheSystemsReason() throws {
    try OutputFile.write("text", to: path("file"))
    #expect(symlink("loop", path("loop")) == 0)
    let reasons = [
      "": "Is a directory", "none/file": "No such file or directory", "file/file": "Not a directory",
      "loop": "Too many levels of symbolic links", String(repeating: "x", count: 300): "File name too long",
    ]
    for (name, reason) in reasons {
      #expect(OutputFile.obstacle(path(name))?.cause == "cannot be written: " + reason, "\(name)")
      #expect(throws: ReportingError.self) { try OutputFile.write("text", to: path(name)) }
    }
    #expect(OutputFile.obstacle(path("file")) == nil && OutputFile.obstacle(path("new")) == nil)
    #expect(OutputFile.obstacle("/dev/null") == nil)
  }
}
