import Foundation

/// The public members of a class's instances, as its source declares them, extensions included: `save()`, `refresh(_:mergeChanges:)`.
enum PublicMembers {
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/CoreData")

  static func of(_ type: String) throws -> Set<String> {
    var members: Set<String> = []
    guard let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil) else { return [] }
    for case let file as URL in files where file.pathExtension == "swift" {
      members.formUnion(try declared(of: type, in: String(contentsOf: file, encoding: .utf8)))
    }
    return members
  }

  private static func declared(of type: String, in text: String) throws -> Set<String> {
    let declaration = try Regex(
      "^(?:@[A-Za-z]+ )?(?:(?:open|public|package) )?(?:nonisolated )?(?:class|extension) \(type)\\b(?!\\.)")
    let member =
      #/
      ^\ \ (?:public|open)\ (?:(?:final|override|convenience|required|dynamic)\ )*
      (?<kind>var|let|func|init)\ ?(?<name>[A-Za-z_]*)
      /#
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var found: Set<String> = []
    var isInside = false
    for (number, line) in lines.enumerated() {
      if let first = line.first, first.isLetter || first == "@" {
        isInside = try declaration.prefixMatch(in: line) != nil
      }
      guard isInside, let match = try member.prefixMatch(in: line) else { continue }
      let name = match.kind == "init" ? "init" : String(match.name)
      if match.kind == "var" || match.kind == "let" {
        found.insert(name)
      } else {
        let rest = ([line[match.range.upperBound...]] + lines[(number + 1)...].prefix(8)).joined(separator: " ")
        found.insert(name + labels(rest))
      }
    }
    return found
  }

  /// The labels of a parameter list: `(_:mergeChanges:)`.
  private static func labels(_ text: String) -> String {
    guard let start = text.firstIndex(of: "(") else { return "()" }
    var depth = 0
    var parameters = [""]
    for character in text[start...] {
      switch character {
      case "(", "[", "<":
        depth += 1
        if depth == 1 { continue }
      case ")", "]", ">":
        // The arrow of a function type closes nothing.
        if character == ">", parameters.last?.last == "-" { break }
        depth -= 1
        if depth == 0 {
          let labels = parameters.map { $0.drop { $0 == " " }.prefix { $0 != " " && $0 != ":" } }
          return "(" + labels.filter { !$0.isEmpty }.map { $0 + ":" }.joined() + ")"
        }
      case "," where depth == 1:
        parameters.append("")
        continue
      default: break
      }
      parameters[parameters.count - 1].append(character)
    }
    return "()"
  }
}
