#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Small text files of the system (`/proc`, `/sys`, `/etc`), of a size that is not known before they are read.
enum SystemFile {
  /// The file's text, or nil when it is not there or may not be read.
  static func text(_ path: String) -> String? {
    precondition(path.hasPrefix("/"), "a file of the system is named from the root")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value behind the first line `key<separator>value`, without the blanks around it and one pair of quotes.
  static func value(of key: String, separator: Character, in text: String) -> String? {
    precondition(!key.isEmpty && !key.contains(separator), "a key is what is before the separator")
    for line in text.split(separator: "\n") {
      guard let split = line.firstIndex(of: separator) else { continue }
      guard trimmed(line[..<split]) == key else { continue }
      let value = trimmed(line[line.index(after: split)...])
      guard value.count >= 2, value.first == "\"", value.last == "\"" else { return value }
      return String(value.dropFirst().dropLast())
    }
    return nil
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }
}
