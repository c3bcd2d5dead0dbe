/// A type as it is written.
package indirect enum TypeSyntax: Equatable, Sendable {
  /// `Note`, `Foundation.Date`, `Set<Word>`; each part with its arguments.
  case named([Part])
  case optional(TypeSyntax)
  /// `Note!`
  case unwrapped(TypeSyntax)
  case array(TypeSyntax)
  case dictionary(TypeSyntax, TypeSyntax)
  /// Anything that an `@NSManaged` declaration cannot have.
  case other(String)

  package struct Part: Equatable, Sendable {
    package var name: String
    package var arguments: [TypeSyntax] = []
  }
}
