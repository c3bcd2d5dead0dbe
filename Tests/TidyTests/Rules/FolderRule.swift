/// Which folders of a target name each other's types.
///
/// A folder names another where a word of its code is a type that the other one declares, at the outermost level. Names
/// of a type's members do not count: an extension belongs where it is.
struct FolderRule {
  /// Two folders, each of which names types of the other.
  struct Pair: Hashable, CustomStringConvertible {
    /// In alphabetical order.
    let first: String
    let second: String
    /// The types that each names of the other, in words.
    let witnesses: [String]

    var names: String { "\(first) and \(second)" }

    var description: String { "\(names): \(witnesses.joined(separator: ", "))" }
  }

  /// The pairs, sorted.
  let pairs: [Pair]

  /// - Parameter files: of one target; others are left out.
  init(target: String, _ files: [SourceFile]) {
    let files = files.filter { $0.isSwift && $0.target == target && Self.folder($0) != nil }
    var folders: [String: String] = [:]
    for file in files {
      for name in Self.declaredTypes(file) where folders[name] == nil { folders[name] = Self.folder(file) }
    }
    var named: [String: [String: Set<String>]] = [:]
    for file in files {
      guard let own = Self.folder(file) else { continue }
      for word in Set(file.code.flatMap { $0.words.map(String.init) }) {
        guard let other = folders[word], other != own else { continue }
        named[own, default: [:]][other, default: []].insert(word)
      }
    }
    pairs = named.keys.sorted().flatMap { first in
      (named[first] ?? [:]).keys.sorted().compactMap { second in
        guard first < second, let back = named[second]?[first] else { return nil }
        let there = named[first]?[second] ?? []
        return Pair(
          first: first, second: second,
          witnesses: there.sorted().map { "\(first) names \($0)" } + back.sorted().map { "\(second) names \($0)" })
      }
    }
  }

  /// The folder below that of the target; nil for a file that is in none.
  private static func folder(_ file: SourceFile) -> String? {
    let parts = file.path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : nil
  }

  private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  /// The types that a file declares at the outermost level.
  private static func declaredTypes(_ file: SourceFile) -> [String] {
    file.code.compactMap { line in
      guard let start = line.first, !start.isWhitespace else { return nil }
      let words = line.words
      guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
        !words[..<kind].contains("func"), !words[..<kind].contains("extension")
      else { return nil }
      return String(words[kind + 1])
    }
  }
}
