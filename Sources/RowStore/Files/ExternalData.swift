import Foundation

/// A large value of a binary attribute, in a file beside the store; read when it is asked for.
///
/// There is one object for a file as long as its value is referenced. A file that the store gave up goes with it, so that a
/// holder of an older row, or an undo, still has the value.
package final class ExternalData: Hashable, EncodedValue, Sendable {
  /// The file's name, unique in the folder.
  package let name: String
  package let folder: ExternalFolder

  /// Only made by the folder, which knows of it from then on.
  package init(name: String, folder: ExternalFolder) {
    self.name = name
    self.folder = folder
  }

  deinit { folder.forget(name) }

  /// The bytes; nil, said on standard error, when the file is gone.
  package var attributeValue: Any? { data }

  package var data: Data? {
    do {
      return try folder.read(name)
    } catch {
      Warning.write("the file \(name) of a binary attribute cannot be read: \(error.localizedDescription)")
      return nil
    }
  }

  package func fileSlot(leaf: Int) -> Slot { .data(ExternalReference.bytes(inFile: name)) }

  package static func == (left: ExternalData, right: ExternalData) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The column of a binary attribute that allows external storage: a byte that says where the value is, and the value or the
/// name of its file, up to a zero.
package enum ExternalReference {
  /// The first byte of a column with the value behind it.
  static let inRow: UInt8 = 1
  /// The first byte of a column with the name of the value's file behind it.
  static let inFile: UInt8 = 2

  package static func bytes(inFile name: String) -> Data {
    precondition(!name.isEmpty && !name.utf8.contains(UInt8(ascii: "/")), "a row names a file of its store's folder")
    return Data([inFile]) + Data(name.utf8) + Data([0])
  }

  /// The name of a value's file; nil where the column has the value.
  ///
  /// A name and no path: a broken store must not lead elsewhere.
  package static func name(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.first == inFile else { return nil }
    let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
    return name.isEmpty || name.contains("/") || name == "." || name == ".." ? nil : name
  }

  /// The slot of a column, of a store without files where `folder` is nil.
  package static func slot(_ bytes: UnsafeRawBufferPointer, _ folder: ExternalFolder?) -> Slot {
    if bytes.first == inRow { return .data(Data(bytes.dropFirst())) }
    // All else was written before the attribute allowed external storage.
    guard let folder, let name = name(bytes) else { return .data(Data(bytes)) }
    return .boxed(SlotBox(folder.file(named: name)))
  }
}
