import Foundation

/// An attribute that the store computes from others when something it depends on is written.
package struct DerivedAttribute {
  /// The form of a copied value.
  package enum Form: String {
    case same = ""
    case canonical, uppercase, lowercase

    func of(_ text: String) -> String {
      switch self {
      case .same: text
      case .canonical: text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      case .uppercase: text.uppercased()
      case .lowercase: text.lowercased()
      }
    }
  }

  package enum Source {
    /// When the object was last written.
    case now
    /// An attribute of the object itself, or of the object a to-one relationship leads to.
    case copy(Form, toOne: PropertyLayout?, PropertyLayout)
    /// How many members a to-many relationship has.
    case count(PropertyLayout)
    /// The sum of an attribute of the members.
    case sum(PropertyLayout, PropertyLayout)
  }

  package let property: PropertyLayout
  package let source: Source

  /// Why an expression is refused.
  package struct Unsupported: Error {
    package let reason: String
  }

  /// Reads the expression of a derived attribute; every entity has its layout, and its relationships.
  package init(_ property: PropertyLayout, expression: String, of entity: EntityLayout) throws(Unsupported) {
    self.property = property
    let text = expression.filter { !$0.isWhitespace }
    if text == "now()" {
      source = .now
      return
    }
    var form = Form.same
    var path = text[...]
    if let colon = text.firstIndex(of: ":") {
      guard let named = Form(rawValue: String(text[..<colon])), named != .same,
        text[text.index(after: colon)...].hasPrefix("("), text.hasSuffix(")")
      else {
        throw Unsupported(
          reason: "\(expression) is no derivation; there are canonical:(x), uppercase:(x), lowercase:(x) and now()")
      }
      form = named
      path = text[text.index(colon, offsetBy: 2)...].dropLast()
    }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    source = try Self.source(keys, form, expression, of: entity)
  }

  private static func source(
    _ keys: [String], _ form: Form, _ expression: String, of entity: EntityLayout
  ) throws(Unsupported) -> Source {
    func attribute(_ name: String, _ owner: EntityLayout) throws(Unsupported) -> PropertyLayout {
      guard let property = owner.propertiesByName[name], !property.isRelationship, !property.isTransient,
        property.encoding == nil
      else { throw Unsupported(reason: "\(expression): \(name) is no plain stored attribute of \(owner.name)") }
      return property
    }
    guard let first = keys.first, let start = entity.propertiesByName[first] else {
      throw Unsupported(reason: "\(expression): \(entity.name) has no \(keys.first ?? "such property")")
    }
    guard !start.isRelationship || start.isConnected else {
      throw Unsupported(reason: "\(expression): \(entity.name).\(first) leads to no entity")
    }
    guard start.isStored else {
      throw Unsupported(reason: "\(expression): \(entity.name).\(first) is transient, and not in the store")
    }
    switch (start.kind, keys.count) {
    case (.attribute, 1): return .copy(form, toOne: nil, try attribute(first, entity))
    case (.toOne, 2): return .copy(form, toOne: start, try attribute(keys[1], start.relation.destination))
    case (.toMany, 2) where keys[1] == "@count" && form == .same: return .count(start)
    case (.toMany, 3) where keys[1] == "@sum" && form == .same:
      return .sum(start, try attribute(keys[2], start.relation.destination))
    case (.toMany, 3) where keys[2] == "@sum" && form == .same:
      return .sum(start, try attribute(keys[1], start.relation.destination))
    default:
      throw Unsupported(
        reason: "\(expression) is no derivation that can be kept up to date; there are an attribute, toOne.attribute, "
          + "toMany.@count, toMany.@sum.attribute and toMany.attribute.@sum")
    }
  }
}

extension PropertyLayout {
  /// The attribute of the same object that this one is a form of, where it is derived so; nil for one of its own, and for one
  /// that depends on other objects or on the time.
  package var original: (attribute: PropertyLayout, form: DerivedAttribute.Form)? {
    guard isDerived, let derived = owner.derived.first(where: { $0.property === self }),
      case .copy(let form, toOne: nil, let attribute) = derived.source,
      case (.attribute(let type), .attribute(let own)) = (attribute.kind, kind), type == own
    else { return nil }
    return (attribute, form)
  }
}
