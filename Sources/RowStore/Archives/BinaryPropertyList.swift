import Foundation

/// A binary property list as keyed archives need it: with the references that Foundation does not show.
///
/// Whatever the bytes are, reading ends in a value or an error.
package struct BinaryPropertyList {
  /// Why the bytes are no property list.
  package struct Failure: Error {}

  package indirect enum Value {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case date(Double)
    case data(Data)
    case string(String)
    /// A reference into an archive's table of objects.
    case uid(Int)
    case array([Value])
    case dictionary([String: Value])
  }

  /// Values of one list, nested ones counted as often as they are referred to.
  private static let valuesMax = 1_000_000
  private static let depthMax = 64

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let offsetTable: Int
  private let count: Int
  private var visited = 0
  /// Texts and data by their indices: many references to a large one must not make it many times.
  private var leaves: [Int: Value] = [:]

  /// The outermost value.
  package static func read(_ data: Data) throws -> Value {
    var list = try BinaryPropertyList(data)
    return try list.value(try list.top(), depth: 0)
  }

  private init(_ data: Data) throws {
    bytes = [UInt8](data)
    guard bytes.count >= 40, bytes.starts(with: Array("bplist00".utf8)) else { throw Failure() }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw Failure() }
    count = try Self.integer(bytes, trailer + 8, 8)
    offsetTable = try Self.integer(bytes, trailer + 24, 8)
    guard count > 0, count <= bytes.count, offsetTable <= trailer, offsetTable + count * offsetSize <= trailer else {
      throw Failure()
    }
  }

  private func top() throws -> Int { try Self.integer(bytes, bytes.count - 16, 8) }

  /// A big-endian number that is an index or a count.
  private static func integer(_ bytes: [UInt8], _ start: Int, _ size: Int) throws -> Int {
    guard start >= 0, start + size <= bytes.count else { throw Failure() }
    var value: UInt64 = 0
    for byte in bytes[start..<start + size] { value = value << 8 | UInt64(byte) }
    guard value <= UInt64(Int32.max) else { throw Failure() }
    return Int(value)
  }

  private mutating func value(_ index: Int, depth: Int) throws -> Value {
    visited += 1
    guard index < count, depth <= Self.depthMax, visited <= Self.valuesMax else { throw Failure() }
    if let leaf = leaves[index] { return leaf }
    let start = try Self.integer(bytes, offsetTable + index * offsetSize, offsetSize)
    guard start >= 8, start < offsetTable else { throw Failure() }
    let (kind, info) = (bytes[start] >> 4, Int(bytes[start] & 0x0F))
    switch kind {
    case 0x0:
      switch info {
      case 0: return .null
      case 8: return .bool(false)
      case 9: return .bool(true)
      default: throw Failure()
      }
    case 0x1: return .integer(Int64(bitPattern: try raw(start + 1, 1 << info)))
    case 0x2 where info == 2: return .real(Double(Float(bitPattern: UInt32(try raw(start + 1, 4)))))
    case 0x2 where info == 3: return .real(Double(bitPattern: try raw(start + 1, 8)))
    case 0x3 where info == 3: return .date(Double(bitPattern: try raw(start + 1, 8)))
    case 0x8: return .uid(try Self.integer(bytes, start + 1, info + 1))
    default: break
    }
    let (length, first) = try extent(start, info)
    if (0x4...0x6).contains(kind) {
      let leaf = try leaf(kind, first, length)
      leaves[index] = leaf
      return leaf
    }
    switch kind {
    case 0xA, 0xC:
      return .array(try references(first, length).map { try value($0, depth: depth + 1) })
    case 0xD:
      let (keys, values) = (
        try references(first, length), try references(first + length * referenceSize, length)
      )
      var result: [String: Value] = [:]
      for (key, member) in zip(keys, values) {
        guard case .string(let name) = try value(key, depth: depth + 1) else { throw Failure() }
        result[name] = try value(member, depth: depth + 1)
      }
      return .dictionary(result)
    default: throw Failure()
    }
  }

  /// Data, a text of ASCII, or a text of 16-bit units.
  private func leaf(_ kind: UInt8, _ first: Int, _ length: Int) throws -> Value {
    if kind == 0x4 { return .data(Data(try slice(first, length))) }
    if kind == 0x5 { return .string(String(decoding: try slice(first, length), as: UTF8.self)) }
    let units = try slice(first, length * 2)
    let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2)
    return .string(String(decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self))
  }

  private func raw(_ start: Int, _ size: Int) throws -> UInt64 {
    guard size <= 16, start + size <= bytes.count else { throw Failure() }
    var value: UInt64 = 0
    // Of 16 bytes the last 8 are the number, as far as it fits.
    for byte in bytes[start..<start + size] { value = value << 8 | UInt64(byte) }
    return value
  }

  /// How many elements there are, and where they start.
  private func extent(_ start: Int, _ info: Int) throws -> (length: Int, first: Int) {
    guard info == 0x0F else { return (info, start + 1) }
    guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 1 else { throw Failure() }
    let size = 1 << Int(bytes[start + 1] & 0x0F)
    guard size <= 8 else { throw Failure() }
    return (try Self.integer(bytes, start + 2, size), start + 2 + size)
  }

  private func slice(_ start: Int, _ length: Int) throws -> ArraySlice<UInt8> {
    guard length >= 0, start + length <= offsetTable else { throw Failure() }
    return bytes[start..<start + length]
  }

  private func references(_ start: Int, _ length: Int) throws -> [Int] {
    guard length >= 0, start + length * referenceSize <= offsetTable else { throw Failure() }
    return try (0..<length).map { try Self.integer(bytes, start + $0 * referenceSize, referenceSize) }
  }
}
