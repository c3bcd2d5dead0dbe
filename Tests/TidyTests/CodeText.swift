/// Blanks out text that is not code, so that rules do not trip over prose.
enum CodeText {
  private enum Mode {
    case string(hashes: Int, isMultiline: Bool)
    case interpolation(depth: Int)
  }

  /// Bytes with which strings, comments and interpolations begin and end.
  private static let isSign: [Bool] = {
    var isSign = [Bool](repeating: false, count: 256)
    for byte in "/\"#\\()".utf8 { isSign[Int(byte)] = true }
    return isSign
  }()

  /// `text` with comments and string contents replaced by nothing; lines and quotes stay, interpolated code too.
  static func of(_ text: String) -> String {
    var rest = Array(text.utf8)[...]
    var code: [UInt8] = []
    var modes: [Mode] = []

    func take(_ count: Int) {
      code.append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
    }

    let isSign = isSign
    while true {
      // Most of a file: neither the begin nor the end of anything.
      let plain = rest.prefix { !isSign[Int($0)] }
      if case .string = modes.last {
        code.append(contentsOf: plain.filter { $0 == UInt8(ascii: "\n") })
      } else {
        code.append(contentsOf: plain)
      }
      rest = rest[plain.endIndex...]
      guard let byte = rest.first else { break }
      if case .string(let hashes, let isMultiline) = modes.last {
        let fence = Array(repeating: UInt8(ascii: "#"), count: hashes)
        let quotes = Array(repeating: UInt8(ascii: "\""), count: isMultiline ? 3 : 1)
        if rest.starts(with: quotes + fence) {
          take(quotes.count + hashes)
          modes.removeLast()
        } else if rest.starts(with: [UInt8(ascii: "\\")] + fence) {
          rest = rest.dropFirst(1 + hashes)
          if rest.first == UInt8(ascii: "(") {
            modes.append(.interpolation(depth: 0))
          } else if rest.first != UInt8(ascii: "\n") {
            rest = rest.dropFirst()
          }
        } else {
          if byte == UInt8(ascii: "\n") { code.append(byte) }
          rest = rest.dropFirst()
        }
        continue
      }
      if rest.starts(with: "//".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = afterBlockComment(rest, newlines: &code)
      } else if let opening = stringOpening(rest) {
        take(opening.length)
        modes.append(opening.mode)
      } else {
        if case .interpolation(let depth) = modes.last {
          if byte == UInt8(ascii: "(") { modes[modes.count - 1] = .interpolation(depth: depth + 1) }
          if byte == UInt8(ascii: ")") {
            modes[modes.count - 1] = .interpolation(depth: depth - 1)
            if depth == 1 { modes.removeLast() }
          }
        }
        take(1)
      }
    }
    return String(decoding: code, as: UTF8.self)
  }

  private static func stringOpening(_ rest: ArraySlice<UInt8>) -> (length: Int, mode: Mode)? {
    let hashes = rest.prefix { $0 == UInt8(ascii: "#") }.count
    let quotes = rest.dropFirst(hashes).prefix { $0 == UInt8(ascii: "\"") }.count
    guard quotes > 0 else { return nil }
    let isMultiline = quotes >= 3
    return (hashes + (isMultiline ? 3 : 1), .string(hashes: hashes, isMultiline: isMultiline))
  }

  private static func afterBlockComment(_ start: ArraySlice<UInt8>, newlines: inout [UInt8]) -> ArraySlice<UInt8> {
    var rest = start.dropFirst(2)
    var depth = 1
    while depth > 0, let byte = rest.first {
      if rest.starts(with: "/*".utf8) {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.starts(with: "*/".utf8) {
        depth -= 1
        rest = rest.dropFirst(2)
      } else {
        if byte == UInt8(ascii: "\n") { newlines.append(byte) }
        rest = rest.dropFirst()
      }
    }
    return rest
  }
}
