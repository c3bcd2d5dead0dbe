import CZlib
import Foundation
import Histogram

extension HistogramLog {
  /// Version of the zlib that is loaded.
  package static var compressorVersion: String { String(cString: zlibVersion()) }
}

extension HistogramEncoding {
  private static let compressedCookie: UInt32 = 0x1c84_9304 | 0x10
  /// More than any histogram of 64-bit values takes.
  private static let lengthMax = 1 << 24

  /// The histogram as in a line of a log: compressed, in Base64.
  static func text(_ histogram: Histogram<UInt64>) -> String {
    let bytes = encoded(histogram)
    precondition(bytes.count <= lengthMax, "a histogram that is written can be read again")
    var length = compressBound(uLong(bytes.count))
    var compressed = [UInt8](repeating: 0, count: Int(length))
    let status = compress2(&compressed, &length, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
    precondition(status == Z_OK, "zlib compresses into a buffer of its own bound; it returned \(status)")
    precondition(0...compressed.count ~= Int(length), "zlib stays within its buffer")
    var data = Data()
    for number in [compressedCookie, UInt32(length)] {
      withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
    }
    return (data + compressed.prefix(Int(length))).base64EncodedString()
  }

  /// The histogram of a line of a log.
  ///
  /// - Throws: `HistogramLogError` when it is none.
  static func histogram(text: String) throws(HistogramLogError) -> Histogram<UInt64> {
    guard let data = Data(base64Encoded: text) else { throw HistogramLogError("has a histogram that is not Base64") }
    var reader = ByteReader([UInt8](data.prefix(8)))
    guard try reader.unsigned32() == compressedCookie, Int(try reader.unsigned32()) == data.count - 8 else {
      throw HistogramLogError("has a histogram that is not compressed, or not of version 2")
    }
    let compressed = [UInt8](data.dropFirst(8))
    var bytes = [UInt8](repeating: 0, count: lengthMax)
    var length = uLong(lengthMax)
    guard uncompress(&bytes, &length, compressed, uLong(compressed.count)) == Z_OK else {
      throw HistogramLogError("has a histogram that cannot be decompressed")
    }
    return try decoded(Array(bytes.prefix(Int(length))))
  }
}
