import Foundation

/// The functions of an ELF executable by their addresses, read from its file.
///
/// - SeeAlso: System V Application Binary Interface, "Object Files".
struct SymbolTable {
  private struct Function {
    var address: UInt64
    var size: UInt64
    var nameOffset: Int
  }

  private let functions: [Function]
  private let names: Data

  /// Reads the symbol table of a 64-bit little-endian file; nil when it has none, as when it was stripped.
  init?(executable path: String) {
    guard let file = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return nil }
    let reader = Reader(file: file)
    guard file.prefix(6) == Data([0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
    let (tableOffset, entrySize, count) = (reader.int64(0x28), reader.int16(0x3A), reader.int16(0x3C))
    let sections = (0..<count).map { tableOffset + $0 * entrySize }
    let symbolTableType = 2
    guard let symbols = sections.first(where: { reader.int32($0 + 4) == symbolTableType }) else { return nil }
    let strings = tableOffset + reader.int32(symbols + 0x28) * entrySize
    guard let names = reader.range(reader.int64(strings + 0x18), reader.int64(strings + 0x20)) else { return nil }
    self.names = names

    let (first, symbolSize) = (reader.int64(symbols + 0x18), 24)
    let functionType: UInt8 = 2
    functions = (0..<reader.int64(symbols + 0x20) / symbolSize).compactMap { index in
      let symbol = first + index * symbolSize
      guard reader.byte(symbol + 4) & 0xF == functionType, reader.int64(symbol + 8) != 0 else { return nil }
      return Function(
        address: UInt64(reader.int64(symbol + 8)), size: UInt64(reader.int64(symbol + 16)),
        nameOffset: reader.int32(symbol))
    }.sorted { $0.address < $1.address }
  }

  /// The mangled name of the function at an address of the file.
  ///
  /// - Complexity: O(log *n*).
  func name(at address: UInt64) -> String? {
    var range = 0..<functions.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if functions[middle].address <= address {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    guard range.lowerBound > 0 else { return nil }
    let function = functions[range.lowerBound - 1]
    precondition(function.address <= address, "a function begins at the address, or before it")
    guard address < function.address + max(1, function.size) else { return nil }
    let name = names.dropFirst(function.nameOffset).prefix { $0 != 0 }
    return String(decoding: name, as: UTF8.self)
  }

  /// Numbers of the file; zero beyond its end.
  private struct Reader {
    let file: Data

    func range(_ offset: Int, _ count: Int) -> Data? {
      guard offset >= 0, count >= 0, offset <= file.count - count else { return nil }
      return file.subdata(in: offset..<offset + count)
    }

    func byte(_ offset: Int) -> UInt8 { offset >= 0 && offset < file.count ? file[offset] : 0 }
    func int16(_ offset: Int) -> Int { number(offset, 2) }
    func int32(_ offset: Int) -> Int { number(offset, 4) }
    func int64(_ offset: Int) -> Int { number(offset, 8) }

    private func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(byte(offset + $1)) }
    }
  }
}
