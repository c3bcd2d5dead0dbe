extension BinaryPropertyList {
  /// The bytes of a list.
  package static func write(_ value: Value) -> [UInt8] {
    var writer = Writer()
    let top = writer.add(value)
    return writer.bytes(top: top)
  }

  /// Every value with its place; equal texts have one.
  private struct Writer {
    private enum Entry {
      case bytes([UInt8])
      case list(marker: UInt8, [Int], [Int])
    }

    private var entries: [Entry] = []
    private var texts: [[UInt16]: Int] = [:]

    package mutating func add(_ value: Value) -> Int {
      switch value {
      case .null: return append(.bytes([0x00]))
      case .bool(let flag): return append(.bytes([flag ? 0x09 : 0x08]))
      case .integer(let number): return append(.bytes(Self.integer(number)))
      case .real(let number): return append(.bytes([0x23] + Self.bigEndian(number.bitPattern)))
      case .date(let seconds): return append(.bytes([0x33] + Self.bigEndian(seconds.bitPattern)))
      case .data(let data): return append(.bytes(Self.head(0x40, data.count) + Array(data)))
      case .uid(let index):
        precondition(0...Int(UInt32.max) ~= index, "an object is referred to in 32 bits")
        return append(.bytes([0x83] + Self.bigEndian(UInt32(index))))
      case .string(let text):
        let units = Array(text.utf16)
        if let known = texts[units] { return known }
        let isASCII = units.allSatisfy { $0 < 0x80 }
        let index = append(
          .bytes(
            isASCII
              ? Self.head(0x50, units.count) + units.map { UInt8($0) }
              : Self.head(0x60, units.count) + units.flatMap(Self.bigEndian)))
        texts[units] = index
        return index
      case .array(let members): return append(.list(marker: 0xA0, [], members.map { add($0) }))
      case .dictionary(let pairs):
        let sorted = pairs.sorted { $0.key < $1.key }
        return append(.list(marker: 0xD0, sorted.map { add(.string($0.key)) }, sorted.map { add($0.value) }))
      }
    }

    private mutating func append(_ entry: Entry) -> Int {
      entries.append(entry)
      return entries.count - 1
    }

    /// References and offsets have four bytes each.
    package func bytes(top: Int) -> [UInt8] {
      precondition(entries.indices.contains(top), "the top of a list is one of its entries")
      var bytes = Array("bplist00".utf8)
      var offsets: [Int] = []
      for entry in entries {
        offsets.append(bytes.count)
        switch entry {
        case .bytes(let value): bytes += value
        case .list(let marker, let keys, let values):
          bytes += Self.head(marker, values.count)
          for reference in keys + values { bytes += Self.bigEndian(UInt32(reference)) }
        }
      }
      let table = bytes.count
      for offset in offsets { bytes += Self.bigEndian(UInt32(offset)) }
      bytes += [0, 0, 0, 0, 0, 0, 4, 4]
      for number in [entries.count, top, table] { bytes += Self.bigEndian(UInt64(number)) }
      return bytes
    }

    private static func integer(_ number: Int64) -> [UInt8] {
      if let small = UInt8(exactly: number) { return [0x10, small] }
      return [0x13] + bigEndian(UInt64(bitPattern: number))
    }

    private static func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
      precondition(marker & 0x0F == 0 && count >= 0, "a marker has room for a short count")
      return count < 15 ? [marker | UInt8(count)] : [marker | 0x0F] + integer(Int64(count))
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
  }
}
