/// The pattern of `LIKE`: `*` is any text, `?` one code point, `\` takes the next one literally.
package struct Wildcard {
  package enum Part: Equatable {
    case anything, one
    case literal(Unicode.Scalar)
  }

  private let parts: [Part]

  package init(_ pattern: String) {
    var parts: [Part] = []
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "*": if parts.last != .anything { parts.append(.anything) }
      case "?": parts.append(.one)
      case "\\": parts.append(.literal(scalars.next() ?? "\\"))
      default: parts.append(.literal(scalar))
      }
    }
    self.parts = parts
  }

  /// A pattern that another operator says as well: `abc`, `abc*`, `*abc`, `*abc*`.
  var simple: (op: ResolvedComparison.Operator, text: String)? {
    let isOpen = (start: parts.first == .anything, end: parts.last == .anything)
    let middle = parts.dropFirst(isOpen.start ? 1 : 0).dropLast(isOpen.end && parts.count > 1 ? 1 : 0)
    var text = String.UnicodeScalarView()
    for part in middle {
      guard case .literal(let scalar) = part else { return nil }
      text.append(scalar)
    }
    let op: ResolvedComparison.Operator =
      switch isOpen {
      case (false, false): .equal
      case (false, true): .beginsWith
      case (true, false): .endsWith
      case (true, true): .contains
      }
    return (op, String(text))
  }

  /// Complexity: O(*n* · *m*) at worst; no recursion.
  package func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var (position, part) = (0, 0)
    var retry: (position: Int, part: Int)?
    while position < scalars.count {
      if part < parts.count, parts[part] == .anything {
        retry = (position, part)
        part += 1
      } else if part < parts.count, parts[part] == .one || parts[part] == .literal(scalars[position]) {
        position += 1
        part += 1
      } else if let again = retry {
        retry = (again.position + 1, again.part)
        position = again.position + 1
        part = again.part + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anything }
  }
}
