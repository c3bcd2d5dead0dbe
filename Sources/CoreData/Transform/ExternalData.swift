/// A large value of a binary attribute, in a file beside the store; read when it is asked for.
struct ExternalData: Hashable, EncodedValue {
  /// The file's name, unique in the store.
  let name: String
  let folder: ExternalFolder

  /// The bytes; nil, said on standard error, when the file is gone.
  var attributeValue: Any? { data }

  var data: Data? {
    do {
      return try folder.read(name)
    } catch {
      AttributeTransformer.warn("the file \(name) of a binary attribute cannot be read: \(error.localizedDescription)")
      return nil
    }
  }

  func fileSlot(leaf: Int) -> Slot { .data(Data([ExternalFolder.inFile]) + Data(name.utf8) + Data([0])) }

  static func == (left: ExternalData, right: ExternalData) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The folder with the large values of one store: `.NAME_SUPPORT/_EXTERNAL_DATA` beside it, as Apple's stores have it.
final class ExternalFolder: Sendable {
  /// The first byte of a column whose value follows.
  static let inRow: UInt8 = 1
  /// The first byte of a column whose value is in the file that is named behind, up to a zero.
  static let inFile: UInt8 = 2
  /// Values of more bytes get a file.
  static let largestInRow = 100 * 1024

  private let path: String

  /// The folder of the store in that file.
  init(storePath: String) {
    let store = URL(fileURLWithPath: storePath)
    let name = ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT"
    path = store.deletingLastPathComponent().appendingPathComponent(name).appendingPathComponent("_EXTERNAL_DATA").path
  }

  /// The slot of what lies in a column.
  func slot(_ bytes: UnsafeRawBufferPointer) -> Slot {
    switch bytes.first {
    case Self.inRow: return .data(Data(bytes.dropFirst()))
    case Self.inFile:
      let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
      // A name and no path: a broken file must not lead elsewhere.
      guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { return .data(Data(bytes)) }
      return .boxed(SlotBox(ExternalData(name: name, folder: self)))
    // Written before the attribute allowed external storage.
    default: return .data(Data(bytes))
    }
  }

  func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)) }

  /// Writes a new file; its name.
  func write(_ data: Data) throws -> String {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let name = UUID().uuidString
    try data.write(to: URL(fileURLWithPath: path + "/" + name), options: .atomic)
    return name
  }

  /// Removes a file; one that is gone already is none.
  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path + "/" + name) }
}
