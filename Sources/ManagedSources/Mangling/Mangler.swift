/// Makes the names under which the compiler looks for accessors and methods.
///
/// Covers `@NSManaged` declarations: members of classes, not generic, of nominal types and of the standard library's
/// collections of them.
/// - SeeAlso: the compiler's `docs/ABI/Mangling.rst`, for the terms used here.
struct Mangler {
  private var buffer: [UInt8] = Array("$s".utf8)
  private var substitutions: [Entity: Int] = [:]
  /// Positions in the buffer of the words that identifiers may refer to.
  private var words: [Range<Int>] = []
  private var last: LastSubstitution?

  private enum Entity: Hashable {
    case identifier(String)
    case nominal(module: String, parts: ArraySlice<Nominal.Part>)
    case type(ResolvedType)
  }

  /// The substitution at the end of the buffer, to merge the next one with.
  private struct LastSubstitution {
    var start: Int
    var end: Int
    var count: Int
    var isStandard: Bool
    var letter: UInt8
  }

  private static let wordsMax = 26

  /// The declaring class of a member, and the module of the extension when it is another one.
  struct Owner {
    let type: Nominal
    var extensionModule: String?
    /// Digest for members that are private to a file.
    var discriminator: String?
  }

  enum Accessor: String { case getter = "g", setter = "s" }

  /// The discriminator between private names of one file and those of another.
  static func discriminator(module: String, file: String) -> String { "_" + MD5.hexadecimal(module + file) }

  /// The name of a property's getter or setter.
  static func accessor(_ accessor: Accessor, of name: String, _ type: ResolvedType, in owner: Owner) -> String {
    var mangler = Mangler()
    mangler.append(owner, name)
    mangler.append(type)
    mangler.append("v" + accessor.rawValue)
    return mangler.text
  }

  /// The name of a method; the labels of its parameters are empty for `_`.
  static func method(
    _ name: String, _ parameters: [(label: String, type: ResolvedType)], _ result: ResolvedType?, in owner: Owner
  ) -> String {
    var mangler = Mangler()
    mangler.append(owner, name)
    if parameters.allSatisfy({ $0.label.isEmpty }) {
      mangler.append("y")
    } else {
      for parameter in parameters {
        if parameter.label.isEmpty { mangler.append("_") } else { mangler.append(identifier: parameter.label) }
      }
    }
    if let result { mangler.append(result) } else { mangler.append("y") }
    if parameters.isEmpty {
      mangler.append("y")
    } else if parameters.count == 1, parameters[0].label.isEmpty {
      mangler.append(parameters[0].type)
    } else {
      for (position, parameter) in parameters.enumerated() {
        mangler.append(parameter.type)
        if position == 0 { mangler.append("_") }
      }
      mangler.append("t")
    }
    mangler.append("F")
    return mangler.text
  }

  private var text: String { String(decoding: buffer, as: UTF8.self) }

  private mutating func append(_ text: String) { buffer += Array(text.utf8) }

  private mutating func append(_ owner: Owner, _ name: String) {
    append(nominal: owner.type.module, owner.type.parts[...])
    if let module = owner.extensionModule {
      append(module: module)
      append("E")
    }
    append(identifier: name)
    if let discriminator = owner.discriminator {
      append(identifier: discriminator)
      append("LL")
    }
  }

  // MARK: Types

  private mutating func append(_ type: ResolvedType) {
    switch type {
    case .nominal(let nominal): append(nominal)
    case .optional(let wrapped):
      guard !appendSubstitution(.type(type)) else { return }
      append(wrapped)
      append("Sg")
      add(.type(type))
    case .bound(let nominal, let arguments):
      guard !appendSubstitution(.type(type)) else { return }
      append(nominal)
      append("y")
      for argument in arguments { append(argument) }
      append("G")
      add(.type(type))
    case .any: append("yp")
    }
  }

  private mutating func append(_ nominal: Nominal) {
    if let letter = nominal.shortForm { return append(substitution: String(letter), isStandard: true) }
    append(nominal: nominal.module, nominal.parts[...])
  }

  private mutating func append(nominal module: String, _ parts: ArraySlice<Nominal.Part>) {
    guard let part = parts.last else { return append(module: module) }
    let entity = Entity.nominal(module: module, parts: parts)
    guard !appendSubstitution(entity) else { return }
    append(nominal: module, parts.dropLast())
    append(identifier: part.name)
    append(String(part.letter.rawValue))
    add(entity)
  }

  private mutating func append(module: String) {
    if module == "Swift" { append("s") } else { append(identifier: module) }
  }

  // MARK: Substitutions

  private mutating func add(_ entity: Entity) {
    precondition(substitutions[entity] == nil, "a substitution is numbered once")
    substitutions[entity] = substitutions.count
  }

  private mutating func appendSubstitution(_ entity: Entity) -> Bool {
    guard let index = substitutions[entity] else { return false }
    if index < 26 {
      append(substitution: String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index))), isStandard: false)
    } else {
      append(index == 26 ? "A_" : "A\(index - 27)_")
    }
    return true
  }

  /// Writes `AB`, `Si`; directly after another one only the difference: `AbC`, `A2B`, `S2i`.
  private mutating func append(substitution text: String, isStandard: Bool) {
    precondition(text.utf8.count == 1, "a short form is one letter: \(text)")
    let letter = Array(text.utf8)[0]
    guard var last, last.end == buffer.count, last.isStandard == isStandard, last.letter == letter || !isStandard
    else {
      append(isStandard ? "S" : "A")
      let start = buffer.count
      buffer.append(letter)
      last = LastSubstitution(start: start, end: buffer.count, count: 1, isStandard: isStandard, letter: letter)
      return
    }
    if last.letter == letter {
      last.count += 1
      buffer.removeLast(buffer.count - last.start)
      append("\(last.count)")
    } else {
      buffer[buffer.count - 1] |= 0x20
      last.start = buffer.count
      last.count = 1
      last.letter = letter
    }
    buffer.append(letter)
    last.end = buffer.count
    self.last = last
  }

  // MARK: Identifiers

  private mutating func append(identifier: String) {
    guard !appendSubstitution(.identifier(identifier)) else { return }
    add(.identifier(identifier))
    let bytes = Array(identifier.utf8)
    if bytes.allSatisfy(Self.isSymbolByte) { append(words: bytes) } else { append(punycode: identifier) }
  }

  private static func isSymbolByte(_ byte: UInt8) -> Bool {
    isUpper(byte) || isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

  private mutating func append(punycode identifier: String) {
    let encoded = Punycode.encode(identifier)
    let first = encoded.utf8.first ?? 0
    append("00\(encoded.utf8.count)\(Self.isDigit(first) || first == UInt8(ascii: "_") ? "_" : "")\(encoded)")
  }

  /// The words of `notesOfWords`: `notes`, `Of`, `Words`; digits and underscores begin none.
  private static func words(of bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    for position in 0...bytes.count {
      let byte = position < bytes.count ? bytes[position] : 0
      if let begin = start,
        position == bytes.count || byte == UInt8(ascii: "_")
          || (isUpper(byte) && !isUpper(bytes[position - 1]))
      {
        found.append(begin..<position)
        start = nil
      }
      if start == nil, position < bytes.count, !isDigit(byte), byte != UInt8(ascii: "_") { start = position }
    }
    return found
  }

  /// Writes an identifier with words that may have been mangled before: those are letters then, the rest counted text.
  private mutating func append(words bytes: [UInt8]) {
    var replacements: [(range: Range<Int>, index: Int)] = []
    /// Words that this identifier adds, by their place in it.
    var new: [Range<Int>] = []
    for word in Self.words(of: bytes) {
      let known = words.firstIndex { buffer[$0].elementsEqual(bytes[word]) }
      let here = new.firstIndex { bytes[$0].elementsEqual(bytes[word]) }
      if let index = known ?? here.map({ words.count + $0 }) {
        replacements.append((word, index))
      } else if word.count >= 2, words.count + new.count < Self.wordsMax {
        new.append(word)
      }
    }
    if !replacements.isEmpty { append("0") }
    var position = 0
    for (number, replacement) in replacements.enumerated() {
      appendCounted(bytes, position..<replacement.range.lowerBound, &new)
      position = replacement.range.upperBound
      precondition(replacement.index < Self.wordsMax, "a word that is referred to has a letter of the alphabet")
      let isLast = number == replacements.count - 1
      buffer.append(UInt8(ascii: isLast ? "A" : "a") + UInt8(replacement.index))
      if isLast, position == bytes.count { append("0") }
    }
    appendCounted(bytes, position..<bytes.count, &new)
    precondition(new.isEmpty, "each new word was written, and has its place")
  }

  private mutating func appendCounted(_ bytes: [UInt8], _ range: Range<Int>, _ new: inout [Range<Int>]) {
    guard !range.isEmpty else { return }
    append("\(range.count)")
    while let word = new.first, word.lowerBound < range.upperBound {
      precondition(range.contains(word.lowerBound) && word.upperBound <= range.upperBound, "a word is written whole")
      let start = buffer.count + word.lowerBound - range.lowerBound
      words.append(start..<(start + word.count))
      new.removeFirst()
    }
    buffer += bytes[range]
  }
}
