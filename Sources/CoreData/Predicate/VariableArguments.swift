import CRuntime
import RowStore

/// Arguments that were passed as C passes them.
enum VariableArguments {
  /// The values in `list` for the places of the format, in the order of their numbers.
  ///
  /// - Precondition: `list` fits the format, as for C's `printf`; that cannot be checked.
  static func values(_ format: String, _ list: CVaListPointer) throws(PredicateFailure) -> [Any?] {
    var placesByIndex: [Int: PredicateArgument] = [:]
    var next = 0
    for token in try PredicateLexer.tokens(format) {
      guard case .argument(let argument) = token.kind else { continue }
      placesByIndex[argument.index ?? next] = argument
      if argument.index == nil { next += 1 }
    }
    let places = (0..<placesByIndex.count).compactMap { placesByIndex[$0] }
    guard places.count == placesByIndex.count else {
      throw PredicateFailure(
        position: nil, message: "the format leaves out one of its arguments, whose size is not known then")
    }
    let kinds = places.map { CChar($0.passing.value) }
    var integers = [Int64](repeating: 0, count: places.count)
    var reals = [Double](repeating: 0, count: places.count)
    contextbench_take_arguments(list, kinds, places.count, &integers, &reals)
    return places.indices.map { value(places[$0], integers[$0], reals[$0]) }
  }

  private static func value(_ place: PredicateArgument, _ integer: Int64, _ real: Double) -> Any? {
    switch place.passing {
    case "d": return real
    case "p":
      guard let pointer = UnsafeRawPointer(bitPattern: Int(integer)) else { return nil }
      if place.letter == "s" { return String(cString: pointer.assumingMemoryBound(to: CChar.self)) }
      let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
      if let argument = object as? ArgumentString { return argument.value }
      return (object as? NSString).map { $0.substring(from: 0) } ?? object
    default: return place.isUnsigned ? UInt64(bitPattern: integer) : integer
    }
  }
}

extension PredicateArgument {
  fileprivate var isUnsigned: Bool { "uUxXoO".contains(letter) }

  /// How C passes the argument: a letter of `contextbench_take_arguments`.
  fileprivate var passing: Unicode.Scalar {
    switch letter {
    case "@", "K", "s", "S": "p"
    case "f", "F", "g", "G", "e", "E", "a", "A": "d"
    default: text.contains(where: { "lqzjt".contains($0) }) || "DUO".contains(letter) ? "l" : isUnsigned ? "u" : "i"
    }
  }
}
