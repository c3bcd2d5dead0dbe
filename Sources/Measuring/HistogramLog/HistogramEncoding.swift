import Histogram

/// The binary form of a histogram that every HdrHistogram library reads, version 2.
///
/// A header of 40 bytes, big-endian: cookie, length of the rest, offset 0, significant digits, least and greatest value, and a
/// ratio of 1.0. The counts follow, in the order of their values, each as a zigzag number of one to nine bytes; a negative one
/// means that many counts of zero.
///
/// - SeeAlso: HdrHistogram, "AbstractHistogram.encodeIntoByteBuffer".
enum HistogramEncoding {
  static let cookie: UInt32 = 0x1c84_9303 | 0x10
  static let headerLength = 40
  /// Larger least values leave no room for five digits, which the library takes for a mistake of its caller.
  private static let lowestMax: UInt64 = 1 << 40

  /// The histogram as bytes.
  static func encoded(_ histogram: Histogram<UInt64>) -> [UInt8] {
    let layout = HistogramLayout(histogram)
    var counts: [UInt8] = []
    var next = 0
    for value in histogram.recordedValues() {
      let index = layout.index(of: value.value)
      precondition(index >= next, "a histogram names its values from the lowest on")
      precondition(value.count > 0, "a value that was recorded was seen")
      if index > next { append(Int64(next - index), to: &counts) }
      append(Int64(clamping: value.count), to: &counts)
      next = index + 1
    }
    var bytes: [UInt8] = []
    append(cookie, to: &bytes)
    append(UInt32(counts.count), to: &bytes)
    append(UInt32(0), to: &bytes)
    append(UInt32(histogram.numberOfSignificantValueDigits.rawValue), to: &bytes)
    append(histogram.lowestDiscernibleValue, to: &bytes)
    append(histogram.highestTrackableValue, to: &bytes)
    append((1.0).bitPattern, to: &bytes)
    precondition(bytes.count == headerLength, "a header is as long as its readers expect")
    return bytes + counts
  }

  /// The histogram in `bytes`.
  ///
  /// - Throws: `HistogramLogError` when they are no such histogram.
  static func decoded(_ bytes: [UInt8]) throws(HistogramLogError) -> Histogram<UInt64> {
    var reader = ByteReader(bytes)
    guard try reader.unsigned32() == cookie else { throw HistogramLogError("is not a histogram of version 2") }
    let length = Int(try reader.unsigned32())
    guard try reader.unsigned32() == 0 else { throw HistogramLogError("has a histogram with shifted counts") }
    let digits = Int8(truncatingIfNeeded: try reader.unsigned32())
    let lowest = try reader.unsigned64()
    let highest = try reader.unsigned64()
    guard try reader.unsigned64() == (1.0).bitPattern, let digits = SignificantDigits(rawValue: digits),
      1...lowestMax ~= lowest, highest >= 2 * lowest, reader.rest == length
    else { throw HistogramLogError("has a histogram with a damaged header") }
    var histogram = Histogram<UInt64>(
      lowestDiscernibleValue: lowest, highestTrackableValue: highest, numberOfSignificantValueDigits: digits)
    let layout = HistogramLayout(histogram)
    let outside = HistogramLogError("has a histogram with counts outside of its range")
    var index = 0
    // The sum is one of 64 bits, as the library expects.
    var sum: UInt64 = 0
    while reader.rest > 0 {
      let number = try reader.zigzag()
      if number < 0 {
        guard number >= Int64(index - layout.end) else { throw outside }
        index -= Int(number)
        continue
      }
      guard index < layout.end else { throw outside }
      let value = layout.value(at: index)
      let (product, isTooLarge) = histogram.highestEquivalentForValue(value)
        .multipliedReportingOverflow(by: UInt64(number))
      let (total, isTooMuch) = sum.addingReportingOverflow(product)
      guard !isTooLarge, !isTooMuch, number == 0 || histogram.record(value, count: UInt64(number)) else {
        throw outside
      }
      sum = total
      index += 1
    }
    return histogram
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a zigzag number in groups of seven bits, the lowest first; a ninth byte has eight.
  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
    var length = 1
    while rest > 0x7f, length < 9 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
      length += 1
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
