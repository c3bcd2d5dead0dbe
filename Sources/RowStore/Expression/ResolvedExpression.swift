import Foundation

/// An expression about one entity: keys are properties, constants have the type they are compared with. The same value is
/// evaluated in memory and translated to SQL.
///
/// Objects have numbers, *scopes*: 0 is the object that the whole predicate is about, each element that a collection or
/// subquery ranges over has one of its own.
package indirect enum ResolvedExpression {
  case constant(Slot)
  case path(ResolvedPath)
  /// The number of the entity of the object at the end of the path.
  case entity(ResolvedPath)
  /// The name of that entity.
  case entityName(ResolvedPath)
  case function(ScalarFunction, [ResolvedExpression])
  case conditional(ResolvedPredicate, ResolvedExpression, ResolvedExpression)
  /// Over a to-many relationship or subquery: `@count`, `@sum`; the expression is about the collection's element.
  case aggregate(CollectionAggregate, ResolvedCollection, ResolvedExpression)
  /// Over the rows of a group: only where a query selects columns, orders by them, or has a HAVING.
  case group(GroupAggregate, ResolvedExpression?)

  /// The object of a scope itself.
  package static func object(_ scope: Int) -> ResolvedExpression { .path(ResolvedPath(scope: scope, steps: [])) }
}

/// Properties to follow from the object of a scope; all but the last are to-one relationships. Without steps it is the
/// object itself.
package struct ResolvedPath {
  package var scope: Int
  package var steps: [PropertyLayout]

  package init(scope: Int, steps: [PropertyLayout]) {
    precondition(scope >= 0, "scopes are numbered from 0")
    self.scope = scope
    self.steps = steps
  }
}

/// The elements of a to-many relationship, or of a subquery over one.
package final class ResolvedCollection {
  /// Scope of the object that the relationships start from.
  package let base: Int
  /// Relationships to follow; one or more are to-many, the last is.
  package let steps: [PropertyLayout]
  /// Scope of the elements.
  package let element: Int
  /// The condition on elements.
  package let filter: ResolvedPredicate?

  package init(base: Int, steps: [PropertyLayout], element: Int, filter: ResolvedPredicate?) {
    precondition(steps.contains(where: \.isToMany), "a collection is reached through a to-many relationship")
    self.base = base
    self.steps = steps
    self.element = element
    self.filter = filter
  }

  /// Whether an element can be reached in several ways; it is an element once.
  package var isDeep: Bool { steps.count(where: \.relation.isToMany) > 1 }

  package var destination: EntityLayout { steps[steps.count - 1].relation.destination }
}

/// Operators over a collection.
///
/// - SeeAlso: Apple, "Key-Value Coding Programming Guide: Using Collection Operators".
package enum CollectionAggregate: String {
  case count = "@count"
  /// Null counts as nothing; of nothing it is 0.
  case sum = "@sum"
  /// Null counts as 0; of nothing it is 0.
  case average = "@avg"
  /// Null is left out; of nothing it is null.
  case minimum = "@min"
  /// As ``minimum``.
  case maximum = "@max"
}

/// Functions over the rows of a group; nulls are left out.
package enum GroupAggregate: String, CaseIterable {
  /// How many rows there are, or how many have a value.
  case count
  /// How many values the rows have, equal ones counted once: `count:` of `distinct:`.
  case countDistinct
  /// Of nothing it is 0.
  case sum
  /// Of nothing it is null, as the next ones.
  case average
  case min
  case max
  case median
  case mode
  case stddev
}

/// The kind of value that an expression gives.
package enum ValueType: Equatable {
  case null
  case boolean, integer, real, decimal, date
  case text, url
  case uuid, data
  case object(EntityLayout)
  case entity
  /// A type that can only be compared with nil, or in memory: its name.
  case other(String)

  package init(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64: self = .integer
    case .boolean: self = .boolean
    case .double, .float: self = .real
    case .decimal: self = .decimal
    case .string: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .url: self = .url
    default: self = .other(type.valueDescription)
    }
  }

  package static func == (left: ValueType, right: ValueType) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)): left.root === right.root
    case (.other(let left), .other(let right)): left == right
    default: left.plainName == right.plainName
    }
  }

  /// Whether it can be computed with; dates are seconds.
  package var isNumber: Bool {
    switch self {
    case .boolean, .integer, .real, .decimal, .date: true
    default: false
    }
  }

  package var isText: Bool { self == .text || self == .url }

  /// Whether values of both kinds have an order or can be equal.
  package func isComparable(with other: ValueType) -> Bool {
    if self == .null || other == .null { return true }
    return self == other || isNumber && other.isNumber || isText && other.isText
  }

  private var plainName: String {
    switch self {
    case .null: "nil"
    case .boolean: "a Bool"
    case .integer: "an integer"
    case .real: "a Double"
    case .decimal: "a Decimal"
    case .date: "a Date"
    case .text: "a String"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .data: "Data"
    case .object: "an object"
    case .entity: "an entity"
    case .other(let name): name
    }
  }

  /// The kind for messages.
  package var description: String {
    if case .object(let entity) = self { "an object of \(entity.name)" } else { plainName }
  }
}
