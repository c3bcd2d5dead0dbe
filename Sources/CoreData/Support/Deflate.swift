import CZlib

/// DEFLATE without a header, as stores keep the copy of their model.
enum Deflate {
  /// The bytes are not as they should be.
  struct Failure: Error {}

  /// The window of 32 KiB; negative for no header.
  private static let windowBits: Int32 = -15

  static func compress(_ data: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else { throw Failure() }
    defer { deflateEnd(&stream) }
    let output = [UInt8](unsafeUninitializedCapacity: Int(deflateBound(&stream, UInt(data.count)))) { output, count in
      count = run(&stream, data, output) { deflate($0, Z_FINISH) == Z_STREAM_END } ?? 0
    }
    guard !output.isEmpty else { throw Failure() }
    return output
  }

  /// - Throws: `Failure` for broken bytes, and for contents larger than `sizeMax`.
  static func expand(_ data: [UInt8], sizeMax: Int) throws -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw Failure()
    }
    defer { inflateEnd(&stream) }
    // DEFLATE makes a thousandfold at most; the buffer grows with its contents.
    let room = min(sizeMax, max(data.count, 64) * 1_100)
    var isComplete = false
    let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      let written = run(&stream, data, output) { inflate($0, Z_FINISH) == Z_STREAM_END }
      isComplete = written != nil
      count = written ?? 0
    }
    guard isComplete else { throw Failure() }
    return output
  }

  /// Runs one call over all input; the number of bytes written, nil where it did not end there.
  private static func run(
    _ stream: inout z_stream, _ data: [UInt8], _ output: UnsafeMutableBufferPointer<UInt8>,
    _ body: (UnsafeMutablePointer<z_stream>) -> Bool
  ) -> Int? {
    var input = data
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(clamping: output.count)
      return body(&stream) ? output.count - Int(stream.avail_out) : nil
    }
  }
}
