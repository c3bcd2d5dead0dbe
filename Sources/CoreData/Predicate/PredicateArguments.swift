import RowStore

/// The arguments of a format, taken one after the other or by number.
struct PredicateArguments {
  private let values: [Any?]
  private var isUsed: [Bool]
  private var next = 0

  init(_ values: [Any?]) {
    self.values = values
    isUsed = values.map { _ in false }
  }

  /// The value for a place of the format.
  ///
  /// - Throws: when there is none, or its type is another than the place says.
  mutating func take(_ argument: PredicateArgument, _ position: Int) throws(PredicateFailure) -> Any? {
    let index = argument.index ?? next
    if argument.index == nil { next += 1 }
    guard index < values.count else {
      throw PredicateFailure(
        position: position,
        message: "there is no argument left for \(argument.text): \(values.count) were given")
    }
    isUsed[index] = true
    let value = Self.unwrapped(values[index])
    guard let converted = Self.convert(value, argument.letter) else {
      throw PredicateFailure(
        position: position,
        message: "argument \(index + 1), for \(argument.text), is \(value.map { "of type \(type(of: $0))" } ?? "nil"); "
          + "\(argument.text) takes \(Self.wanted(argument.letter))")
    }
    return converted.value
  }

  func checkAllUsed() throws(PredicateFailure) {
    guard let unused = isUsed.firstIndex(of: false) else { return }
    let used = isUsed.count { $0 }
    throw PredicateFailure(
      position: nil,
      message: "\(values.count) arguments were given, \(used) are used by the format; argument \(unused + 1) is not")
  }

  /// The value in an optional that was passed as `Any`.
  private static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return unwrapped(mirror.children.first?.value)
  }

  private static func wanted(_ letter: Character) -> String {
    switch letter {
    case "K": "a key path as a string"
    case "f", "F", "g", "G", "e", "E", "a", "A": "a number"
    case "c", "C": "a character or an integer"
    case "s", "S": "a string"
    default: "an integer"
    }
  }

  /// The argument as a constant; nil where the letter does not take it.
  private static func convert(_ value: Any?, _ letter: Character) -> (value: Any?, Void)? {
    switch letter {
    case "@": return (value, ())
    case "K", "s", "S": return (value as? String).map { ($0, ()) }
    case "c", "C":
      if let character = value as? Character {
        return (NSNumber(value: character.unicodeScalars.first?.value ?? 0), ())
      }
      return integer(value).map { ($0, ()) }
    case "f", "F", "g", "G", "e", "E", "a", "A": return real(value).map { ($0, ()) }
    default: return integer(value).map { ($0, ()) }
    }
  }

  private static func integer(_ value: Any?) -> NSNumber? {
    switch value {
    case let value as any BinaryInteger:
      Int64(exactly: value).map { NSNumber(value: $0) } ?? UInt64(exactly: value).map { NSNumber(value: $0) }
    case let value as NSNumber where type(of: value as Any) is AnyClass && !isReal(value): value
    case let value as Bool: NSNumber(value: value)
    default: nil
    }
  }

  private static func real(_ value: Any?) -> NSNumber? {
    switch value {
    case let value as Double: NSNumber(value: value)
    case let value as Float: NSNumber(value: Double(value))
    case let value as CGFloat: NSNumber(value: Double(value))
    case let value as NSNumber: NSNumber(value: value.doubleValue)
    default: integer(value).map { NSNumber(value: $0.doubleValue) }
    }
  }

  private static func isReal(_ number: NSNumber) -> Bool {
    number.objCType.pointee == 0x64 || number.objCType.pointee == 0x66  // "d", "f"
  }
}
