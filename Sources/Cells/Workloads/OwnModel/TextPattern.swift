import Boundary
import Scheduling

/// A regular expression that texts can be drawn from: alternatives, groups, classes, repetition.
///
/// Anchors are taken to hold, as they do where the whole text is matched. Lookaround and back references are refused.
struct TextPattern {
  /// Why no text can be drawn.
  struct Unsupported: Error, CustomStringConvertible {
    let description: String
  }

  private indirect enum Node {
    case nothing
    case one([ClosedRange<UInt32>])
    case sequence([Node])
    case choice([Node])
    case repeated(Node, least: Int, most: Int?)
  }

  private let root: Node

  /// Reads a regular expression.
  init(_ pattern: String) throws(Unsupported) {
    var reader = Reader(pattern)
    root = try reader.choice()
    guard reader.isAtEnd else { throw Unsupported(description: "an unpaired ) at \(reader.position)") }
  }

  /// Draws a text; each repetition takes place up to `spread` times more often than it must.
  func draw(spread: Int, _ random: inout SeededRandom) -> String {
    precondition(spread >= 0, "a part takes place as often as it must, or more")
    var text = String.UnicodeScalarView()
    Self.append(root, spread, &text, &random)
    return String(text)
  }

  private static func append(
    _ node: Node, _ spread: Int, _ text: inout String.UnicodeScalarView, _ random: inout SeededRandom
  ) {
    switch node {
    case .nothing: break
    case .one(let ranges):
      let count = ranges.reduce(0) { $0 + Int($1.count) }
      precondition(count > 0, "a class has characters")
      var rest = Int.random(in: 0..<count, using: &random)
      for range in ranges {
        if rest < range.count {
          if let scalar = Unicode.Scalar(range.lowerBound + UInt32(rest)) { text.append(scalar) }
          return
        }
        rest -= range.count
      }
    case .sequence(let nodes): for node in nodes { append(node, spread, &text, &random) }
    case .choice(let nodes): append(nodes[Int.random(in: 0..<nodes.count, using: &random)], spread, &text, &random)
    case .repeated(let node, let least, let most):
      precondition(most.map { $0 >= least } ?? true, "a part may take place as often as it must")
      for _ in 0..<Int.random(in: least...max(least, min(most ?? .max, least + spread)), using: &random) {
        append(node, spread, &text, &random)
      }
    }
  }

  /// Reads one pattern from left to right.
  private struct Reader {
    /// How deep groups may lie in each other, and how often a part may be asked for.
    private static let depthMax = 40
    private static let countMax = 10_000

    private let scalars: [Unicode.Scalar]
    private(set) var position = 0
    private var depth = 0

    init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

    var isAtEnd: Bool { position == scalars.count }

    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
      guard next == scalar else { return false }
      position += 1
      return true
    }

    private func refusal(_ what: String) -> Unsupported { Unsupported(description: "\(what) at \(position)") }

    mutating func choice() throws(Unsupported) -> Node {
      depth += 1
      defer { depth -= 1 }
      guard depth < Self.depthMax else { throw refusal("groups nested too deeply") }
      var nodes = [try sequence()]
      while consume("|") { nodes.append(try sequence()) }
      return nodes.count == 1 ? nodes[0] : .choice(nodes)
    }

    private mutating func sequence() throws(Unsupported) -> Node {
      var nodes: [Node] = []
      while let scalar = next, scalar != "|", scalar != ")" {
        let node = try part()
        nodes.append(try quantified(node))
      }
      return .sequence(nodes)
    }

    private mutating func part() throws(Unsupported) -> Node {
      let scalar = scalars[position]
      position += 1
      switch scalar {
      case "^", "$": return .nothing
      case ".": return .one(CharacterRanges.any)
      case "(": return try group()
      case "[": return .one(try set())
      case "\\": return try escape()
      case "*", "+", "?": throw refusal("a repetition of nothing")
      default: return .one([scalar.value...scalar.value])
      }
    }

    private mutating func group() throws(Unsupported) -> Node {
      if consume("?") {
        if consume("<") {
          guard let scalar = next, scalar != "=", scalar != "!" else { throw refusal("a look behind") }
          while let scalar = next, scalar != ">" { position += 1 }
          guard consume(">") else { throw refusal("a group's name without its >") }
        } else if !consume(":") {
          throw refusal("a group that looks ahead or sets options")
        }
      }
      let node = try choice()
      guard consume(")") else { throw refusal("a group without its )") }
      return node
    }

    private mutating func quantified(_ node: Node) throws(Unsupported) -> Node {
      var least = 0
      var most: Int?
      switch next {
      case "*": position += 1
      case "+":
        least = 1
        position += 1
      case "?":
        most = 1
        position += 1
      case "{":
        position += 1
        least = number() ?? 0
        most = consume(",") ? number() : least
        guard consume("}") else { throw refusal("a repetition without its }") }
      default: return node
      }
      // Whether it is greedy does not matter to the drawn text.
      if !consume("?") { _ = consume("+") }
      guard least <= Self.countMax, most.map({ $0 >= least }) ?? true else { throw refusal("a repetition too large") }
      return try quantified(.repeated(node, least: least, most: most))
    }

    private mutating func number() -> Int? {
      var value: Int?
      while let digit = next.flatMap({ Int(String($0)) }) {
        value = min(Self.countMax + 1, (value ?? 0) * 10 + digit)
        position += 1
      }
      return value
    }

    private mutating func escape() throws(Unsupported) -> Node {
      switch next {
      case "A", "Z", "z", "G":
        position += 1
        return .nothing
      default: return .one(try escapedClass())
      }
    }

    /// The class or the one character after a backslash.
    private mutating func escapedClass() throws(Unsupported) -> [ClosedRange<UInt32>] {
      guard let scalar = next else { throw refusal("a backslash before nothing") }
      position += 1
      switch scalar {
      case "d": return CharacterRanges.digits
      case "w": return CharacterRanges.word
      case "s": return CharacterRanges.space
      case "D": return CharacterRanges.others(than: CharacterRanges.digits)
      case "W": return CharacterRanges.others(than: CharacterRanges.word)
      case "S": return CharacterRanges.others(than: CharacterRanges.space)
      case "t": return [9...9]
      case "n": return [10...10]
      case "r": return [13...13]
      case "p": return try property()
      case "x", "u":
        let length = scalar == "x" ? 2 : 4
        let text = String(String.UnicodeScalarView(scalars[position..<min(scalars.count, position + length)]))
        guard text.count == length, let value = UInt32(text, radix: 16), Unicode.Scalar(value) != nil else {
          throw refusal("an escape that is no character")
        }
        position += length
        return [value...value]
      default:
        guard !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
          throw refusal("\\\(scalar), from which nothing can be drawn,")
        }
        return [scalar.value...scalar.value]
      }
    }

    private mutating func property() throws(Unsupported) -> [ClosedRange<UInt32>] {
      guard consume("{"), let end = scalars[position...].firstIndex(of: "}") else {
        throw refusal("\\p without a name")
      }
      let name = String(String.UnicodeScalarView(scalars[position..<end]))
      position = end + 1
      switch name {
      case "L", "Letter", "Alphabetic": return CharacterRanges.upper + CharacterRanges.lower
      case "Lu", "Uppercase": return CharacterRanges.upper
      case "Ll", "Lowercase": return CharacterRanges.lower
      case "N", "Nd", "Digit": return CharacterRanges.digits
      default: throw refusal("the property \(name)")
      }
    }

    private mutating func set() throws(Unsupported) -> [ClosedRange<UInt32>] {
      let isNegated = consume("^")
      var ranges: [ClosedRange<UInt32>] = []
      var isFirst = true
      while let scalar = next, isFirst || scalar != "]" {
        isFirst = false
        position += 1
        if scalar == "[" {
          ranges += try set()
          continue
        }
        if scalar == "&", next == "&" { throw refusal("an intersection of classes") }
        let low = scalar == "\\" ? try escapedClass() : [scalar.value...scalar.value]
        guard low.count == 1, low[0].count == 1, next == "-", position + 1 < scalars.count, scalars[position + 1] != "]"
        else {
          ranges += low
          continue
        }
        position += 1
        let end = scalars[position]
        position += 1
        let high = end == "\\" ? try escapedClass() : [end.value...end.value]
        guard high.count == 1, high[0].count == 1, low[0].lowerBound <= high[0].lowerBound else {
          throw refusal("a range that ends before it begins")
        }
        ranges.append(low[0].lowerBound...high[0].lowerBound)
      }
      guard consume("]") else { throw refusal("a class without its ]") }
      let result = isNegated ? CharacterRanges.others(than: ranges) : ranges
      guard !result.isEmpty else { throw refusal("a class of nothing") }
      return result
    }
  }
}

/// Ranges of Unicode scalars that texts are drawn from.
enum CharacterRanges {
  static let digits = [range("0", "9")]
  static let upper = [range("A", "Z")]
  static let lower = [range("a", "z")]
  static let word = digits + upper + lower + [range("_", "_")]
  static let space = [range(" ", " ")]
  /// Candidates for any character: the printable ones of ASCII.
  static let any = [range(" ", "~")]

  /// The printable characters of ASCII that are in none of the ranges.
  static func others(than ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    any[0].filter { scalar in !ranges.contains { $0.contains(scalar) } }.map { $0...$0 }
  }

  private static func range(_ low: Unicode.Scalar, _ high: Unicode.Scalar) -> ClosedRange<UInt32> {
    low.value...high.value
  }
}
