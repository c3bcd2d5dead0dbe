import Measuring

/// Line tables say of each address in which function it was written, though the compiler has inlined that into another one.
package enum LineTables {
  /// Addresses that one command line has room for.
  private static let batchSize = 50_000

  /// The functions at addresses, as the linker would have them, without those that no source has; none without line tables.
  package static func names(of executable: String, at addresses: Set<UInt64>) -> [UInt64: String] {
    precondition(!addresses.contains(0), "0 is an address in a library, of which there is no table")
    let hexadecimal = addresses.sorted().map { "0x" + String($0, radix: 16) }
    return stride(from: 0, to: hexadecimal.count, by: batchSize).reduce(into: [:]) { names, start in
      let batch = hexadecimal[start...].prefix(batchSize)
      let text = ToolOutput.of("addr2line", ["-a", "-f", "-i", "-e", executable] + batch)
      names.merge(self.names(in: text ?? "")) { $1 }
    }
  }

  /// Reads addresses, and behind each the name and the line of a function, then of that into which it is inlined, and so on: the
  /// first that has a source counts, which the standard library's functions have not.
  static func names(in text: String) -> [UInt64: String] {
    var names: [UInt64: String] = [:]
    var lines = text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init)[...]
    while let address = lines.popFirst().flatMap({ UInt64($0.dropFirst(2), radix: 16) }) {
      let levels = lines.prefix { !$0.hasPrefix("0x") }
      lines = lines.dropFirst(levels.count)
      let places = stride(from: levels.startIndex + 1, to: levels.endIndex, by: 2)
      let source = places.first { levels[$0].contains("/") && !levels[$0].contains("<compiler-generated>") }
      names[address] = source.map { String(levels[$0 - 1]) }
    }
    return names
  }
}
