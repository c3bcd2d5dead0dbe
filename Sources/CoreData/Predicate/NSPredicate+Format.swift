import RowStore

// Foundation declares `init(format:)` unavailable on Linux; an initialiser that comes through a protocol is preferred to
// it, and may return a subclass.

/// Gives `NSPredicate` its initialisers for formats.
public protocol _PredicateFactory {}

extension NSPredicate: _PredicateFactory {}

extension _PredicateFactory where Self: NSPredicate {
  /// A predicate from a format with `%@`, `%K`, `%d`, … filled from `args` in order.
  ///
  /// - Precondition: the format is sound; the message has the position and the mistake.
  public init(format predicateFormat: String, _ args: Any?...) {
    self.init(parsing: predicateFormat, args)
  }

  /// A predicate from a format with its arguments in an array.
  ///
  /// - Precondition: the format is sound; the message has the position and the mistake.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self.init(parsing: predicateFormat, arguments ?? [])
  }

  /// A predicate from a format with its arguments as C passes them.
  ///
  /// - Precondition: the format is sound, and the list fits it; the message has the position and the mistake.
  public init(format predicateFormat: String, arguments argList: CVaListPointer) {
    do {
      self.init(parsing: predicateFormat, try VariableArguments.values(predicateFormat, argList))
    } catch {
      preconditionFailure("Unable to parse the format string \"\(predicateFormat)\": \(error)")
    }
  }

  /// - Precondition: the format is sound and gives the class, which for `NSCompoundPredicate` every format does.
  private init(parsing format: String, _ arguments: [Any?]) {
    let predicate: NSPredicate
    do {
      predicate = try PredicateParser.predicate(format, arguments)
    } catch {
      preconditionFailure("Unable to parse the format string \"\(format)\": \(error)")
    }
    // A predicate that is no compound becomes an AND of itself alone.
    let compound = { FormatCompoundPredicate(type: .and, subpredicates: [predicate]) }
    guard let result = (predicate as? Self) ?? (compound() as? Self) else {
      preconditionFailure("the format \"\(format)\" gives no \(Self.self); use NSPredicate(format:)")
    }
    self = result
  }
}
