/// A type as the compiler knows it: aliases followed, names with their modules.
package indirect enum ResolvedType: Hashable, Sendable {
  case nominal(Nominal)
  case bound(Nominal, [ResolvedType])
  case optional(ResolvedType)
  case any

  /// As Swift source that means the same everywhere in the module.
  var text: String {
    switch self {
    case .nominal(let nominal): nominal.name
    case .bound(let nominal, let arguments): "\(nominal.name)<\(arguments.map(\.text).joined(separator: ", "))>"
    case .optional(.any): "Any?"
    case .optional(let wrapped): "\(wrapped.text)?"
    case .any: "Any"
    }
  }

  /// The type inside an optional, or the type itself.
  var unwrapped: ResolvedType { if case .optional(let wrapped) = self { wrapped } else { self } }

  var isOptional: Bool { unwrapped != self }
}

/// A struct, class or enum.
package struct Nominal: Hashable, Sendable {
  /// One step of the way to the type: its name, and the letter of its kind.
  package struct Part: Hashable, Sendable {
    let name: String
    let letter: Letter
  }

  package enum Letter: Character, Sendable {
    case `class` = "C"
    case `struct` = "V"
    case `enum` = "O"
    case `protocol` = "P"
  }

  let module: String
  let parts: [Part]
  /// The letter of a type that the standard library has a short form for.
  var shortForm: Character?

  /// `Note`, `Space.Note`
  var name: String { parts.map(\.name).joined(separator: ".") }
}
