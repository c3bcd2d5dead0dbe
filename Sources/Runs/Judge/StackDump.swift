import CProcess
import Checking
import Foundation

/// The stacks that a child wrote at its deadline, made readable.
enum StackDump {
  /// Names the functions in a file of stacks; leaves the file as it is when it cannot be read.
  ///
  /// - Parameter executable: the child's program, for the functions that the child itself could not name.
  static func makeReadable(fileAt path: String, executable: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    var readable = text
    if let symbols = SymbolTable(executable: executable) {
      readable = named(readable, executable: executable) { symbols.name(at: $0) }
    }
    try? demangled(readable).write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Whether a file has at least one frame of a stack.
  static func hasStacks(fileAt path: String) -> Bool {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
    return text.split(separator: "\n").contains { $0.contains("[0x") || $0.contains("(+0x") }
  }

  /// Puts the names of functions where a stack has only `executable(+0x1a2b)[…]`.
  static func named(_ text: String, executable: String, name: (UInt64) -> String?) -> String {
    text.replacing(#/^(?<file>[^\s(]+)\(\+0x(?<offset>[0-9a-f]+)\)/#.anchorsMatchLineEndings()) { match in
      guard match.file.split(separator: "/").last == executable.split(separator: "/").last,
        let offset = UInt64(match.offset, radix: 16), let name = name(offset)
      else { return String(match.output.0) }
      return "\(match.file)(\(name))"
    }
  }

  /// The violations with names of functions where a trace has only places in the executable, as far as it has symbols.
  static func named(_ violations: [Violation], executable: String) -> [Violation] {
    guard violations.contains(where: { $0.seen.contains("(+0x") }), let symbols = SymbolTable(executable: executable)
    else {
      return violations
    }
    return violations.map { violation in
      var named = violation
      named.seen = tracesNamed(violation.seen, executable: executable) { symbols.name(at: $0) }
      return named
    }
  }

  /// Puts short names of functions where a trace in a line has only `executable(+0x1a2b)`.
  static func tracesNamed(_ text: String, executable: String, name: (UInt64) -> String?) -> String {
    text.replacing(#/(?<file>[^\s(]+)\(\+0x(?<offset>[0-9a-f]+)\)/#) { match in
      guard match.file.split(separator: "/").last == executable.split(separator: "/").last,
        let offset = UInt64(match.offset, radix: 16), let name = name(offset)
      else { return String(match.output.0) }
      return shortened(demangled(name))
    }
  }

  /// A demangled name without types, which a trace in one line has no room for: `closure #1 in Cells.Client.write`.
  static func shortened(_ name: String) -> String {
    let parts = FunctionName.withoutGroups(name).components(separatedBy: " in ").map { part in
      part.replacing(
        #/^:|^(function signature|generic|merged).* of :?|\bstatic :?| @Sendable\b|\s+(throws|async|->|:).*/#, with: "")
    }
    return parts.joined(separator: " in ")
  }

  /// The text with every mangled Swift name demangled.
  static func demangled(_ text: String) -> String {
    text.replacing(#/\$s[0-9A-Za-z_$]+/#) { match in
      let name = String(match.output)
      guard let readable = swift_demangle(name, name.utf8.count, nil, nil, 0) else { return name }
      defer { free(readable) }
      return String(cString: readable)
    }
  }
}
