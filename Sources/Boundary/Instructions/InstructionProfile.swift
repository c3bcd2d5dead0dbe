import Foundation

/// The instructions at each place of a process, from a file of callgrind's, but for those of the allocator: after how many bytes
/// jemalloc tidies up follows from all that the process did before.
///
/// - SeeAlso: Valgrind's manual, "Callgrind Format Specification": names are written once, with a number, and by it alone later;
///   an address is one of its file, or the distance from that of the line before.
package struct InstructionProfile: Sendable, Hashable {
  /// A function, as the linker has it, and an address in the executable; 0 = in a library.
  package struct Place: Sendable, Hashable {
    package let function: String
    package let address: UInt64
  }

  package private(set) var instructions: [Place: Int] = [:]
  /// Of all functions.
  package var total: Int { instructions.values.reduce(0, +) }

  /// Reads the text of a file.
  package init(_ text: String) {
    var names: [Substring: [Substring: Substring]] = [:]
    var function = ""
    var address: UInt64 = 0
    var (isLibrary, isAllocator, isOfCall) = (false, false, false)
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      if let cost = Self.cost(line, after: address) {
        address = cost.address
        // The line behind a call is the cost of the called function, with all that it called.
        if !isOfCall, !isAllocator {
          instructions[Place(function: function, address: isLibrary ? 0 : address), default: 0] += cost.count
        }
        isOfCall = false
        continue
      }
      let parts = Substring(line).split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      // `cfn=` and `cob=` are of a called function, where its name may be written first.
      let name = Self.name(parts[1], &names[parts[0].suffix(2), default: [:]])
      switch parts[0] {
      case "ob": (isLibrary, isAllocator) = (name.contains(".so"), name.contains("libjemalloc"))
      case "fn": function = String(name)
      case "calls": isOfCall = true
      default: break
      }
    }
  }

  /// `0x6e0 5`, `+3 5` or `* 5`: an address and a count; nil for another line.
  private static func cost(_ line: Substring.UTF8View, after last: UInt64) -> (address: UInt64, count: Int)? {
    let parts = line.split(separator: UInt8(ascii: " ")).map(Substring.init)
    guard parts.count == 2, let count = Int(parts[1]) else { return nil }
    if parts[0] == "*" { return (last, count) }
    if parts[0].hasPrefix("0x") { return UInt64(parts[0].dropFirst(2), radix: 16).map { ($0, count) } }
    return Int64(parts[0]).map { (last &+ UInt64(bitPattern: $0), count) }
  }

  /// `(7) main`, or `(7)` where that was written before.
  private static func name(_ text: Substring, _ names: inout [Substring: Substring]) -> Substring {
    guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return text }
    let number = text[...end]
    let name = text[text.index(after: end)...].drop { $0 == " " }
    if name.isEmpty { return names[number] ?? number }
    names[number] = name
    return name
  }
}
