import CZlib
import Foundation

/// Files as `gzip(1)` writes them.
package enum GzipFile {
  /// The suffix of such a file's name.
  package static let ending = ".gz"

  private static let chunkBytes = 1 << 20

  /// Puts the compressed file, with ``ending``, in a file's place.
  ///
  /// - Throws: `POSIXError` where it cannot be written; the file is still there then.
  package static func compress(_ path: String) throws {
    precondition(!path.hasSuffix(ending), "a file is compressed once")
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    let target = path + ending
    guard let file = gzopen(target, "wb6") else { throw failure() }
    let isWritten = stride(from: 0, to: data.count, by: chunkBytes).allSatisfy { first in
      data[first..<min(first + chunkBytes, data.count)].withUnsafeBytes { bytes in
        gzwrite(file, bytes.baseAddress, UInt32(bytes.count)) == bytes.count
      }
    }
    guard gzclose(file) == Z_OK, isWritten else {
      let error = failure()
      unlink(target)
      throw error
    }
    try FileManager.default.removeItem(atPath: path)
  }

  private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// The contents of a file, compressed or not; nil where it cannot be read, or is damaged.
  package static func contents(of path: String) -> Data? {
    guard let file = gzopen(path, "rb") else { return nil }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: chunkBytes)
    var count: CInt = 0
    repeat {
      count = gzread(file, &chunk, UInt32(chunkBytes))
      if count > 0 { data.append(contentsOf: chunk.prefix(Int(count))) }
    } while count > 0
    return gzclose(file) == Z_OK && count == 0 ? data : nil
  }
}
