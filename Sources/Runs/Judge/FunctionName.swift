import Foundation

/// The name that a function has in its source: `SaveMerge.run`. The compiler makes several of one: for a type, of each closure, as
/// the witness of a protocol. One that it makes for a type alone says so: `outlined destroy of Member`.
enum FunctionName {
  /// - Parameter symbol: the linker's name; callgrind numbers the calls of a function by itself.
  static func short(_ symbol: String) -> String {
    let name = withoutGroups(StackDump.demangled(symbol.replacing(#/'\d+$/#, with: "")))
    let words = name.split(separator: " ").filter { !["merged", "static", "const"].contains($0) }
    guard symbol.hasPrefix("$s") else { return words.last.map(String.init) ?? symbol }
    if let type = words.firstIndex(of: "conformance"), let own = words.firstIndex(of: "for"), type > own {
      let members = withoutModule(words[own + 1]).split(separator: ".").dropFirst()
      return ([withoutModule(words[type + 1])] + members).joined(separator: ".")
    }
    let start = (words.lastIndex { ["in", "of", "for"].contains($0) } ?? -1) + 1
    guard start < words.count else { return words.joined(separator: " ") }
    let isOfType = words.contains { ["outlined", "metadata", "witness"].contains($0) }
    return ((isOfType ? words[..<start] : []) + [withoutModule(words[start])]).joined(separator: " ")
  }

  private static func withoutModule(_ path: Substring) -> Substring {
    path.firstIndex(of: ".").map { path[$0...].dropFirst() } ?? path
  }

  /// A demangled name without parameters and types in brackets; an arrow and an operator have none.
  static func withoutGroups(_ name: String) -> String {
    let isPrivate = name.contains(" in _")
    var (kept, depth, last) = ("", 0, Character(" "))
    for character in isPrivate ? name.replacing(#/\((?<own>[^ ()]+) in _[0-9A-F]+\)/#, with: { $0.own }) : name {
      let isBracket = "()".contains(character) || "<>".contains(character) && last != "-" && last != "."
      if isBracket, "(<".contains(character) { depth += 1 }
      if depth == 0 { kept.append(character) }
      if isBracket, ")>".contains(character), depth > 0 { depth -= 1 }
      last = character
    }
    return kept
  }
}
