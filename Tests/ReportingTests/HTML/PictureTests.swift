import Foundation
import Testing

@testable import Reporting

struct PictureTests {
  static let drawing = """
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" role="img" \
    data-scenario="import" data-picture="time">
     <title>import: time &amp; more</title><desc>What it took.</desc>
     <defs><path id="a.m" d="M 0 0"/></defs>
     <g clip-path="url(#a.c)"><use xlink:href="#a.m"/><text style="font: 10px sans-serif">9 ms</text></g>
    </svg>

    """

  @Test func aDrawingTellsWhatItShows() throws {
    let picture = try Picture(Data(Self.drawing.utf8), path: "pictures/import-time.svg")
    #expect(picture.fileName == "import-time.svg")
    #expect(picture.scenario == "import")
    #expect(picture.kind == "time")
    #expect(picture.title == "import: time & more")
    #expect(picture.summary == "What it took.")
    #expect(picture.markup == Self.drawing)
  }

  @Test(arguments: [
    ("<use xlink:href=\"#a.m\"/>", "<use xlink:href=\"http://example.org/a.svg#m\"/>"),
    ("<use xlink:href=\"#a.m\"/>", "<script>alert(1)</script>"),
    ("<use xlink:href=\"#a.m\"/>", "<image href=\"#a\"/>"),
    ("<use xlink:href=\"#a.m\"/>", "<foreignObject/>"),
    ("<use xlink:href=\"#a.m\"/>", "<svg/>"),
    ("<g clip-path", "<g onload=\"alert(1)\" clip-path"),
    ("url(#a.c)", "url(https://example.org/c)"),
    ("<text style=\"font: 10px sans-serif\"", "<text style=\"fill: URL(//example.org)\""),
    ("</g>", ""),
    ("<svg xmlns", "<?xml version=\"1.0\"?><svg xmlns"),
    ("svg", "html"),
  ])
  func whatRunsOrLoadsOrIsDamagedIsRefused(part: String, change: String) {
    let text = Self.drawing.replacingOccurrences(of: part, with: change)
    #expect(text != Self.drawing)
    let error = #expect(throws: ReportingError.self) { try Picture(Data(text.utf8), path: "a.svg") }
    #expect(error?.remedy == "Draw the pictures again with scripts/plot")
  }

  @Test func picturesAreCurrentWhenTheyAreNotOlderThanTheRows() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path + "/pictures", withIntermediateDirectories: true)
    #expect(try Picture.all(ofRun: folder.path) == [])
    #expect(!Picture.areCurrent(inRun: folder.path))

    let rows = folder.path + "/cells.csv"
    let picture = folder.path + "/pictures/import-time.svg"
    for file in [rows, picture] { try Self.drawing.write(toFile: file, atomically: true, encoding: .utf8) }
    #expect(try Picture.all(ofRun: folder.path).map(\.kind) == ["time"])
    for (seconds, isCurrent) in [(0.0, true), (5, true), (-5, false)] {
      let begin = Date(timeIntervalSince1970: 1_000_000)
      try manager.setAttributes([.modificationDate: begin], ofItemAtPath: rows)
      try manager.setAttributes([.modificationDate: begin.addingTimeInterval(seconds)], ofItemAtPath: picture)
      #expect(Picture.areCurrent(inRun: folder.path) == isCurrent)
    }
  }
}
