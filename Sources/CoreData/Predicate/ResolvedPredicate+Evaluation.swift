extension ResolvedPredicate {
  /// Whether the object meets the predicate; on its context's queue, firing faults on the way.
  ///
  /// Two-valued, as SQL is generated to be: a comparison with null is false but for `!=` and `== nil`.
  func matches(_ object: NSManagedObject) -> Bool {
    switch self {
    case .constant(let value): value
    case .and(let parts): parts.allSatisfy { $0.matches(object) }
    case .or(let parts): parts.contains { $0.matches(object) }
    case .not(let part): !part.matches(object)
    case .opaque(let predicate): predicate.evaluate(with: object)
    case .comparison(let left, let comparison, let right):
      comparison.holds(left.value(for: object), right.operands(for: object))
    }
  }
}

extension ResolvedOperand {
  /// The value, with the permanent key of an object that has two.
  fileprivate func value(for object: NSManagedObject) -> Slot {
    let slot: Slot =
      switch self {
      case .slot(let slot): slot
      case .itself: .reference(object.reference)
      case .list: .null
      case .path(let path): path.slot(of: object)
      }
    return slot.canonical(object.registry?.contextOnQueue?.aliases)
  }

  fileprivate func operands(for object: NSManagedObject) -> [Slot] {
    guard case .list(let slots) = self else { return [value(for: object)] }
    let aliases = object.registry?.contextOnQueue?.aliases
    return slots.map { $0.canonical(aliases) }
  }
}

extension [PropertyLayout] {
  /// The value at the end of the path; null as soon as a relationship leads nowhere.
  func slot(of object: NSManagedObject) -> Slot {
    var object = object
    for property in dropLast() {
      guard object.layout.isKind(of: property.owner), let next = object.toOne(property) else { return .null }
      object = next
    }
    guard let last, object.layout.isKind(of: last.owner) else { return .null }
    return object.attribute(last.index).comparable
  }
}

extension Comparison {
  /// Whether the left side stands so to the right one, which has several values for `IN` and `BETWEEN`.
  func holds(_ left: Slot, _ right: [Slot]) -> Bool {
    let left = folded(left)
    let right = right.map(folded)
    switch op {
    case .isIn: return right.contains { left.isSame(as: $0) }
    case .between:
      guard right.count == 2, let low = left.order(right[0]), let high = left.order(right[1]) else { return false }
      return low >= 0 && high <= 0
    default: break
    }
    guard let right = right.first else { return false }
    switch op {
    case .equal: return left.isSame(as: right)
    case .notEqual: return !left.isSame(as: right)
    case .less: return left.order(right).map { $0 < 0 } ?? false
    case .lessOrEqual: return left.order(right).map { $0 <= 0 } ?? false
    case .greater: return left.order(right).map { $0 > 0 } ?? false
    case .greaterOrEqual: return left.order(right).map { $0 >= 0 } ?? false
    case .isIn, .between: return false
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard case .string(let text) = left, case .string(let pattern) = right else { return false }
      return holds(text, pattern)
    }
  }

  private func folded(_ slot: Slot) -> Slot {
    guard ignoresCase || ignoresDiacritics, case .string(let text) = slot else { return slot }
    var options: String.CompareOptions = []
    if ignoresCase { options.insert(.caseInsensitive) }
    if ignoresDiacritics { options.insert(.diacriticInsensitive) }
    return .string(text.folding(options: options, locale: nil))
  }

  /// By code points, as SQLite compares.
  private func holds(_ text: String, _ pattern: String) -> Bool {
    switch op {
    case .beginsWith: text.utf8.starts(with: pattern.utf8)
    case .endsWith: text.utf8.reversed().starts(with: pattern.utf8.reversed())
    case .contains: pattern.isEmpty || Array(text.utf8).firstRange(of: Array(pattern.utf8)) != nil
    case .like: Wildcard(pattern).matches(text)
    case .matches: text.range(of: "^(?:\(pattern))$", options: .regularExpression) != nil
    default: false
    }
  }
}

extension Slot {
  /// The value as it is compared: a URL as the text the store has, a decimal as a double.
  var comparable: Slot {
    guard case .boxed(let box) = self else { return self }
    if let url = box.value as? URL { return .string(url.absoluteString) }
    if let decimal = box.value as? Decimal { return .real(NSDecimalNumber(decimal: decimal).doubleValue) }
    return self
  }

  /// Equal in value: numbers across widths, objects by key, null only to null.
  func isSame(as other: Slot) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    case (.reference(let left), .reference(let right)): left.key == right.key
    default: order(other).map { $0 == 0 } ?? (self == other)
    }
  }

  /// Below, at or above zero as this value sorts before, with or after the other; nil for null and for values of
  /// different kinds. Texts by code points.
  func order(_ other: Slot) -> Int? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .real(let right)): Slot.order(Double(left), right)
    case (.real(let left), .integer(let right)): Slot.order(left, Double(right))
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)): Slot.order(left, right)
    case (.string(let left), .string(let right)): Slot.order(left.utf8, right.utf8)
    case (.uuid(let left), .uuid(let right)):
      withUnsafeBytes(of: left.uuid) { left in withUnsafeBytes(of: right.uuid) { Slot.order(left, $0) } }
    case (.data(let left), .data(let right)): Slot.order(left, right)
    default: nil
    }
  }

  private static func order(_ left: Double, _ right: Double) -> Int { left < right ? -1 : left == right ? 0 : 1 }

  private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
    if left.lexicographicallyPrecedes(right) { return -1 }
    return left.elementsEqual(right) ? 0 : 1
  }
}

/// The pattern of `LIKE`: `*` is any text, `?` one code point, `\` takes the next one literally.
struct Wildcard {
  private enum Part: Equatable {
    case anything, one
    case literal(Unicode.Scalar)
  }

  private let parts: [Part]

  init(_ pattern: String) {
    var parts: [Part] = []
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "*": parts.append(.anything)
      case "?": parts.append(.one)
      case "\\": parts.append(.literal(scalars.next() ?? "\\"))
      default: parts.append(.literal(scalar))
      }
    }
    self.parts = parts
  }

  /// The same pattern in the language of SQLite's GLOB.
  var glob: String {
    parts.map { part in
      switch part {
      case .anything: "*"
      case .one: "?"
      case .literal(let scalar): "*?[".unicodeScalars.contains(scalar) ? "[\(scalar)]" : "\(scalar)"
      }
    }.joined()
  }

  /// Complexity: O(*n* · *m*) at worst; no recursion.
  func matches(_ text: String) -> Bool {
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
