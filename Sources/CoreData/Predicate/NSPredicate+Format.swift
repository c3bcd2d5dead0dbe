/// A predicate read from a format; what `NSPredicate(format:)` gives.
final class FormatPredicate: NSPredicate {
  let node: PredicateNode
  private let format: String

  convenience init(format: String, arguments: [Any?]) {
    do {
      self.init(try PredicateParser.parse(format, arguments), format: format)
    } catch {
      preconditionFailure("Unable to parse the format string \"\(format)\": \(error)")
    }
  }

  private init(_ node: PredicateNode, format: String) {
    self.node = node
    self.format = format
    super.init(value: true)
  }

  /// The same predicate as a compound: of what its outermost AND, OR or NOT joins, else of itself alone.
  fileprivate var compound: NSCompoundPredicate {
    func parts(_ nodes: [PredicateNode]) -> [NSPredicate] {
      nodes.enumerated().map { FormatPredicate($1, format: "part \($0 + 1) of \(format)") }
    }
    return switch node {
    case .and(let nodes): NSCompoundPredicate(type: .and, subpredicates: parts(nodes))
    case .or(let nodes): NSCompoundPredicate(type: .or, subpredicates: parts(nodes))
    case .not(let node): NSCompoundPredicate(type: .not, subpredicates: parts([node]))
    case .constant, .comparison: NSCompoundPredicate(type: .and, subpredicates: [self])
    }
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
    self.init(FormatPredicate(format: predicateFormat, arguments: args))
  }

  /// A predicate from a format with its arguments in an array.
  ///
  /// - Precondition: the format is sound; the message has the position and what is wrong.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(FormatPredicate(format: predicateFormat, arguments: arguments ?? []))
  }

  /// - Precondition: the class is `NSPredicate` or `NSCompoundPredicate`.
  private init(_ predicate: FormatPredicate) {
    guard let result = (predicate as? Self) ?? (predicate.compound as? Self) else {
      preconditionFailure("a format gives no \(Self.self); use NSPredicate(format:)")
    }
    self = result
  }
}
