/// An expression for the result of a fetch: objects, or how many there are.
///
/// In the predicate of a fetch it is evaluated in memory.
///
/// - SeeAlso: Apple, "NSFetchRequestExpression".
open nonisolated class NSFetchRequestExpression: NSExpression, @unchecked Sendable {
  // Sendable as NSExpression is.

  private let request: NSExpression
  private let context: NSExpression
  private let countsOnly: Bool

  private init(request: NSExpression, context: NSExpression, countsOnly: Bool) {
    self.request = request
    self.context = context
    self.countsOnly = countsOnly
    super.init(.custom(NSFetchRequestExpressionType))
  }

  /// An expression for the result of the request that `fetch` evaluates to, in the context that `context` evaluates to; with
  /// `countFlag` for the number of results.
  open class func expression(
    forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
  ) -> NSExpression {
    NSFetchRequestExpression(request: fetch, context: context, countsOnly: countFlag)
  }

  /// The expression for the request.
  open var requestExpression: NSExpression { request }
  /// The expression for the context.
  open var contextExpression: NSExpression { context }
  /// Whether the value is a number.
  open var isCountOnlyRequest: Bool { countsOnly }

  /// The fetch's result; on the context's queue.
  ///
  /// - Precondition: there are a request and a context, and the fetch succeeds.
  open override func expressionValue(with object: Any?, context variables: NSMutableDictionary?) -> Any? {
    let request = request.expressionValue(with: object, context: variables)
    let context = context.expressionValue(with: object, context: variables)
    guard let request = request as? any FetchedInContext, let context = context as? NSManagedObjectContext else {
      preconditionFailure(
        "\(self) needs a fetch request and a context, and has \(request ?? "nil") and \(context ?? "nil")")
    }
    do {
      return countsOnly ? NSNumber(value: try request.count(in: context)) : try request.results(in: context)
    } catch {
      preconditionFailure("\(self) failed, and an expression cannot throw; call fetch(_:) for the error: \(error)")
    }
  }

  /// Whether the other one fetches the same in the same way.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchRequestExpression else { return false }
    return other.request == request && other.context == context && other.countsOnly == countsOnly
  }

  /// As formats write it.
  open override var description: String { "FETCH(\(request), \(context), \(countsOnly ? "YES" : "NO"))" }
}

/// The kind of an ``NSFetchRequestExpression``.
public nonisolated let NSFetchRequestExpressionType = NSExpression.ExpressionType._fetchRequest

/// A fetch request whatever its results are, which a context fetches or counts.
private protocol FetchedInContext {
  func results(in context: NSManagedObjectContext) throws -> [Any]
  func count(in context: NSManagedObjectContext) throws -> Int
}

extension NSFetchRequest: FetchedInContext {
  fileprivate final func results(in context: NSManagedObjectContext) throws -> [Any] { try context.results(of: self) }

  fileprivate final func count(in context: NSManagedObjectContext) throws -> Int { try context.count(for: self) }
}
