import CoreData
import Foundation

// As query builders have it; both modules know an NSExpression.

public func == <Root: NSManagedObject, Value>(left: KeyPath<Root, Value>, right: Value) -> NSPredicate {
  let expression = NSExpression(forKeyPath: (left as AnyKeyPath)._kvcKeyPathString ?? "")
  return NSComparisonPredicate(
    leftExpression: expression, rightExpression: NSExpression(forConstantValue: right), modifier: .direct, type: .equalTo)
}

public func && (left: NSPredicate, right: NSPredicate) -> NSPredicate {
  NSCompoundPredicate(andPredicateWithSubpredicates: [left, right])
}
