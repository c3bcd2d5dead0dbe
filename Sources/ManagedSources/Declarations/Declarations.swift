/// The scope in which a declaration may be used, from the smallest to the largest.
package enum Access: Int, Comparable, Sendable {
  case `private`, `fileprivate`, `internal`, package, `public`, `open`

  package init?(word: String) {
    switch word {
    case "private": self = .private
    case "fileprivate": self = .fileprivate
    case "internal": self = .internal
    case "package": self = .package
    case "public": self = .public
    case "open": self = .open
    default: return nil
    }
  }

  package static func < (left: Access, right: Access) -> Bool { left.rawValue < right.rawValue }
}

/// The position of a declaration.
package struct Place: Equatable, Sendable {
  package let path: String
  package let line: Int
  /// Conditions of the `#if` blocks around it, outermost first; each ready to follow `#if`.
  package var conditions: [String] = []

  package func problem(_ message: String, kind: String = "") -> SourceProblem {
    SourceProblem(path: path, line: line, kind: kind, message: message)
  }
}

/// A class, struct, enum, actor or protocol.
package struct DeclaredType: Sendable {
  package enum Kind: Sendable { case `class`, `struct`, `enum`, `protocol` }

  package let kind: Kind
  /// The names from the outermost type to this one.
  package let path: [String]
  package let access: Access
  package let isGeneric: Bool
  /// The types behind the colon.
  package let inherited: [TypeSyntax]
  /// The name of `@objc(Name)`, also where it is in a comment.
  package var objectiveCName: String?
  package let isFinal: Bool
  package let place: Place
}

package struct DeclaredAlias: Sendable {
  package let path: [String]
  package let type: TypeSyntax
  package let isGeneric: Bool
  package let place: Place
}

/// `@NSManaged var` or `@NSManaged func`.
package struct ManagedMember: Sendable {
  package enum Kind: Sendable {
    case property(TypeSyntax)
    case method(parameters: [Parameter], result: TypeSyntax?)
  }

  package struct Parameter: Equatable, Sendable {
    /// Empty for `_`.
    package let label: String
    package let type: TypeSyntax
  }

  package let name: String
  /// The name for Core Data: that of `@objc(name)`, of a method the one that Xcode gives to such a selector's; else `name`.
  package let key: String
  package let kind: Kind
  package let access: Access
  /// The type it is a member of, as written: where the class or extension names it.
  package let owner: [String]
  /// Whether it is in an extension.
  package let isInExtension: Bool
  package let place: Place
}

/// A declaration that Objective-C finds by its name: `@objc var`, an override of a property, `validateTitle(_:)`.
package struct KeyedMember: Sendable {
  package enum Kind: Sendable { case property, override, validator }

  package let kind: Kind
  package let name: String
  /// The name for key-value coding.
  package let key: String
  package let access: Access
  /// The type it is a member of, as written.
  package let owner: [String]
  package let place: Place
}

/// Any property or method of a type.
package struct OutlinedMember: Sendable {
  /// The name, of a method with its labels: `add(_:at:)`.
  package let signature: String
  /// The type it is a member of, as written.
  package let owner: [String]
  package let isInExtension: Bool
  package let isOverride: Bool
  package let place: Place
}

/// The declarations found in the sources of one module.
package struct ModuleSources: Sendable {
  package let module: String
  package var types: [DeclaredType] = []
  package var aliases: [DeclaredAlias] = []
  package var members: [ManagedMember] = []
  package var keyedMembers: [KeyedMember] = []
  package var outline: [OutlinedMember] = []
  /// Types with an initialiser that their subclasses have as well, as written.
  package var typesWithRequired: Set<[String]> = []
  /// Classes that the sources use, and that Foundation has as well.
  package var ambiguousNames: Set<String> = []
  package var importsCoreData = false
  /// Import declarations of the files that have managed members, in order, each once.
  package var imports: [String] = []
  package var problems: [SourceProblem] = []

  package init(module: String) { self.module = module }

  /// Adds the declarations of `source`.
  package mutating func add(_ source: SwiftSource) {
    var parser = DeclarationParser(source)
    parser.parse()
    types += parser.types
    aliases += parser.aliases
    members += parser.members
    keyedMembers += parser.keyedMembers
    outline += parser.outline
    typesWithRequired.formUnion(parser.typesWithRequired)
    ambiguousNames.formUnion(parser.ambiguousNames)
    if parser.importsCoreData { importsCoreData = true }
    problems += parser.problems
    if !parser.members.isEmpty { for line in parser.imports where !imports.contains(line) { imports.append(line) } }
  }
}
