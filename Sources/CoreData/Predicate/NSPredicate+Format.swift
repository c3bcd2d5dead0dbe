/// A predicate read from a format; what `NSPredicate(format:)` gives.
final class FormatPredicate: NSPredicate {
  let node: PredicateNode
  private let format: String

  init(format: String, arguments: [Any?]) {
    do {
      node = try PredicateParser.parse(format, arguments)
    } catch {
      preconditionFailure("Unable to parse the format string \"\(format)\": \(error)")
    }
    self.format = format
    super.init(value: true)
  }

  required init?(coder: NSCoder) { nil }

  /// Whether the managed object meets the predicate; on its context's queue.
  override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
    guard let object = object as? NSManagedObject else {
      preconditionFailure("\(format) is about managed objects, not \(object.map { "\(type(of: $0))" } ?? "nil")")
    }
    do {
      return try ResolvedPredicate(node, entity: object.layout).matches(object)
    } catch {
      preconditionFailure("\(format): \(error)")
    }
  }

  override func copy(with zone: NSZone?) -> Any { self }

  override var description: String { format }
}

// Foundation declares `init(format:)` unavailable on Linux; an initialiser that comes through a protocol is preferred to
// it, and may return a subclass.

/// What gives `NSPredicate` its initialisers for formats.
public protocol _PredicateFactory {}

extension NSPredicate: _PredicateFactory {}

extension _PredicateFactory where Self: NSPredicate {
  /// A predicate from a format with `%@`, `%K`, `%d`, … filled from `args` in order.
  ///
  /// - Precondition: the format is sound; the message has the position and what is wrong.
  public init(format predicateFormat: String, _ args: Any?...) {
    self = FormatPredicate(format: predicateFormat, arguments: args) as! Self
  }

  /// A predicate from a format with its arguments in an array.
  ///
  /// - Precondition: the format is sound; the message has the position and what is wrong.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self = FormatPredicate(format: predicateFormat, arguments: arguments ?? []) as! Self
  }
}
