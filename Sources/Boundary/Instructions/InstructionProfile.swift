import Foundation

/// The instructions of each function by itself, from a file of callgrind's, but for those of the allocator: after how many bytes
/// jemalloc tidies up follows from all that the process did before.
///
/// - SeeAlso: Valgrind's manual, "Callgrind Format Specification": names are written once, with a number, and by it alone later.
package struct InstructionProfile: Sendable, Hashable {
  /// By the name of the function, as the linker has it.
  package private(set) var instructions: [String: Int] = [:]
  /// Of all functions.
  package var total: Int { instructions.values.reduce(0, +) }

  /// Reads the text of a file.
  package init(_ text: String) {
    var names: [Substring: Substring] = [:]
    var function: Substring?
    var isOfCall = false
    var objects: [Substring: Substring] = [:]
    var isAllocator = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("ob=") || line.hasPrefix("cob=") {
        // That of a call may be where the name is written.
        let object = Self.name(line.drop { $0 != "=" }.dropFirst(), &objects)
        if line.hasPrefix("ob=") { isAllocator = object.contains("libjemalloc") }
      } else if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
        let name = Self.name(line.drop { $0 != "=" }.dropFirst(), &names)
        if line.hasPrefix("fn=") { function = name }
      } else if line.hasPrefix("calls=") {
        isOfCall = true
      } else if line.first.map({ $0.isNumber || $0 == "+" || $0 == "-" || $0 == "*" }) == true {
        // The line behind a call is the cost of the called function, with all that it called.
        if !isOfCall, !isAllocator, let function,
          let count = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        {
          instructions[String(function), default: 0] += count
        }
        isOfCall = false
      }
    }
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
