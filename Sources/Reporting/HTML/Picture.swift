import Foundation

/// A picture of a run as SVG that a page can hold: it shows itself, runs nothing and loads nothing.
package struct Picture: Sendable, Hashable {
  /// The folder of the pictures in a results folder.
  package static let folderName = "pictures"

  /// Name of its file.
  package let fileName: String
  /// The scenario that it shows.
  package let scenario: String
  /// Which of a scenario's pictures it is: `time`, `latency`, …
  package let kind: String
  /// Its title, in a few words.
  package let title: String
  /// Its subject, in a sentence.
  package let summary: String
  /// An `svg` element.
  let markup: String

  /// The pictures of a results folder, by file name; none when it has none.
  ///
  /// - Throws: `ReportingError` for a file that is not a picture which `scripts/plot` may have drawn.
  package static func all(ofRun folder: String) throws(ReportingError) -> [Picture] {
    let folder = folder + "/" + folderName
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var pictures: [Picture] = []
    for name in names.sorted() where name.hasSuffix(".svg") {
      let picture = try Picture(readingFrom: folder + "/" + name)
      // A folder of runs keeps the trend in a folder of the same name.
      if picture.kind != "trend" { pictures.append(picture) }
    }
    return pictures
  }

  /// Whether the pictures of a results folder are there and not older than its rows.
  package static func areCurrent(inRun folder: String) -> Bool {
    func date(_ path: String) -> Date? {
      (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
    let pictures = folder + "/" + folderName
    let names = (try? FileManager.default.contentsOfDirectory(atPath: pictures)) ?? []
    let dates = names.filter { $0.hasSuffix(".svg") }.compactMap { date(pictures + "/" + $0) }
    guard let oldest = dates.min(), let rows = date(folder + "/cells.csv") else { return false }
    return oldest >= rows
  }

  init(readingFrom path: String) throws(ReportingError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ReportingError(path: path, cause: "cannot be read", remedy: PictureReader.remedy)
    }
    try self.init(data, path: path)
  }

  init(_ data: Data, path: String) throws(ReportingError) {
    let reader = try PictureReader.read(data, path: path)
    fileName = URL(fileURLWithPath: path).lastPathComponent
    scenario = reader.attributes["data-scenario"] ?? ""
    kind = reader.attributes["data-picture"] ?? ""
    title = reader.title
    summary = reader.summary
    markup = String(decoding: data, as: UTF8.self)
  }
}
