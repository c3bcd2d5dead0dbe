/// Reads numbers from bytes, in order.
struct ByteReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Bytes that were not read yet.
  var rest: Int { bytes.count - position }

  mutating func unsigned32() throws(HistogramLogError) -> UInt32 { UInt32(truncatingIfNeeded: try bigEndian(4)) }

  mutating func unsigned64() throws(HistogramLogError) -> UInt64 { try bigEndian(8) }

  /// A zigzag number in groups of seven bits, the lowest first; a ninth byte has eight.
  mutating func zigzag() throws(HistogramLogError) -> Int64 {
    var number: UInt64 = 0
    for index in 0..<9 {
      let byte = UInt64(try next())
      number |= (index < 8 ? byte & 0x7f : byte) << UInt64(7 * index)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  private mutating func bigEndian(_ count: Int) throws(HistogramLogError) -> UInt64 {
    var number: UInt64 = 0
    for _ in 0..<count { number = number << 8 | UInt64(try next()) }
    return number
  }

  private mutating func next() throws(HistogramLogError) -> UInt8 {
    guard position < bytes.count else { throw HistogramLogError("ends too early") }
    defer { position += 1 }
    return bytes[position]
  }
}
