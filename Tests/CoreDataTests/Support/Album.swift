import SQLite
import Testing

@testable import CoreData

/// A model of pictures with data that may lie in files beside the store.
enum Album {
  /// Bytes of a value that gets a file.
  static let large = 110_000

  /// - Parameter isUnique: whether no two pictures may have one name.
  static func model(isUnique: Bool = false) -> NSManagedObjectModel {
    let picture = Notebook.entity("Picture", NSManagedObject.self)
    let data = Notebook.attribute("data", .binaryDataAttributeType)
    data.allowsExternalBinaryDataStorage = true
    picture.properties = [
      Notebook.attribute("name", .stringAttributeType), Notebook.attribute("note", .stringAttributeType), data,
      Notebook.attribute("plain", .binaryDataAttributeType),
    ]
    if isUnique { picture.uniquenessConstraints = [["name"]] }
    let model = NSManagedObjectModel()
    model.entities = [picture]
    return model
  }

  static func stack(isUnique: Bool = false) throws -> TestStack {
    try TestStack(.file, model: model(isUnique: isUnique))
  }

  /// A value that lies in a file, unlike that of any other number.
  static func value(_ number: Int) -> Data { Data(repeating: UInt8(truncatingIfNeeded: number), count: large + number) }

  /// The folder with the files of a store.
  static func folder(_ url: URL) -> URL {
    let stem = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(".\(stem)_SUPPORT/_EXTERNAL_DATA")
  }

  /// The files of a store, and of others that share the folder.
  static func files(_ url: URL) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder(url).path)) ?? [])
  }

  /// The files that the rows of a store refer to.
  static func references(_ url: URL) throws -> [String] {
    try Connection(path: url.path, mode: .readOnly).column(
      "SELECT CAST(substr(ZDATA, 2, 36) AS TEXT) FROM ZPICTURE WHERE substr(ZDATA, 1, 1) = X'02'")
  }
}

extension TestStack {
  /// Expects that there are as many files as rows that refer to one, and that each row has its own.
  func expectFilesAreThoseOfRows(
    _ count: Int? = nil, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let references = try Album.references(url)
    #expect(Set(references).count == references.count, comment, sourceLocation: sourceLocation)
    #expect(Album.files(url) == Set(references), comment, sourceLocation: sourceLocation)
    if let count { #expect(references.count == count, comment, sourceLocation: sourceLocation) }
  }

  /// A picture, saved.
  func seedPicture(_ name: String, _ data: Data?) throws {
    try change { $0.insert("Picture", ["name": name, "note": "first"]).setValue(data, forKey: "data") }
  }

  /// The data of a picture, as another coordinator reads them.
  func storedData(_ name: String) throws -> Data? {
    let other = try TestStack(model: Album.model(), url: url)
    let context = other.context()
    return try context.performAndWait { try context.named("Picture", name).value(forKey: "data") as? Data }
  }
}
