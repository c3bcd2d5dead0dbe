/// A place in the package's text that names a rule of the contract.
struct RuleCitation: Equatable {
  /// `S5.2`.
  let number: String
  let path: String
  let line: Int

  /// Every citation in a file; the headings of the rules themselves are none.
  static func all(in file: SourceFile) -> [RuleCitation] {
    let isArticle = file.path.hasPrefix(Contract.folder + "/")
    return file.lines.enumerated().flatMap { index, line in
      isArticle && line.hasPrefix("#")
        ? [] : numbers(in: line).map { RuleCitation(number: $0, path: file.path, line: index + 1) }
    }
  }

  /// The numbers of rules in a line: `S`, digits, a point, digits, and no letter or digit on either side.
  static func numbers(in line: String) -> [String] {
    let text = Array(line.utf8)
    var found: [String] = []
    var start = 0
    while let letter = text[start...].firstIndex(of: UInt8(ascii: "S")) {
      start = letter + 1
      guard letter == 0 || !isWord(text[letter - 1]) else { continue }
      let point = text[start...].firstIndex { !isDigit($0) } ?? text.count
      guard point > start, point < text.count, text[point] == UInt8(ascii: ".") else { continue }
      let end = text[(point + 1)...].firstIndex { !isDigit($0) } ?? text.count
      guard end > point + 1, end == text.count || !isWord(text[end]) else { continue }
      found.append(String(decoding: text[letter..<end], as: UTF8.self))
      start = end
    }
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || byte > 0x7F
  }
}
