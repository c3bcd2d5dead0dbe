import CoreData
import Foundation
import Testing

// Aliases for a file that imports both modules by name; once, without `private`, they are enough for all files of a module.
private typealias NSExpression = CoreData.NSExpression
private typealias NSComparisonPredicate = CoreData.NSComparisonPredicate

/// Files that import Foundation and CoreData by name.
@Suite struct BothImportsTests {
  // S7.2: DEVIATIONS.md, "Two classes named NSExpression".
  @Test func anAliasSettlesWhichClassIsMeant() throws {
    let made: NSPredicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "length"), rightExpression: NSExpression(forConstantValue: 3),
      modifier: .direct, type: .greaterThan)
    #expect(made.evaluate(with: "text"))
    let read = NSPredicate(format: "length > 3")
    #expect(try #require(read as? NSComparisonPredicate).leftExpression.keyPath == "length")
    #expect(read == made)
  }
}
