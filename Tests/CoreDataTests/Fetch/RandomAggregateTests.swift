import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// Aggregates of the store against the same computed over the rows in Swift.
@Suite("S7.1 Aggregates over groups")
struct RandomAggregateTests {
  private struct Row {
    let key: Int?
    let whole: Int?
    let real: Double?
  }

  private static func description(_ name: String, of key: String) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = "\(name)-\(key)"
    description.expression = NSExpression(forFunction: "\(name):", arguments: [NSExpression(forKeyPath: key)])
    return description
  }

  /// The result of `name` for the values that are there; nil for null.
  private static func expected(_ name: String, of values: [Double]) -> Double? {
    switch name {
    case "count": Double(values.count)
    case "sum": values.reduce(0, +)
    case "min": values.min()
    case "max": values.max()
    default: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
  }

  @Test("are those of a plain computation over the same rows", arguments: 0..<25)
  func areThoseOfAPlainComputation(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    // Halves, so that sums are exact in every order.
    let rows = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      Row(
        key: Int.random(in: 0...5, using: &random) == 0 ? nil : Int.random(in: 1...4, using: &random),
        whole: Int.random(in: 0...3, using: &random) == 0 ? nil : Int.random(in: -50...50, using: &random),
        real: Int.random(in: 0...3, using: &random) == 0 ? nil : Double(Int.random(in: -99...99, using: &random)) / 2)
    }
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      for row in rows {
        let sample = context.insert("Sample")
        sample.setValue(row.key, forKey: "anInt16")
        sample.setValue(row.whole, forKey: "anInt64")
        sample.setValue(row.real, forKey: "aDouble")
      }
    }
    let names = ["count", "sum", "min", "max", "average"]
    let request = NSFetchRequest<NSDictionary>(entityName: "Sample")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch =
      ["anInt16"] + names.flatMap { [Self.description($0, of: "anInt64"), Self.description($0, of: "aDouble")] }
    request.propertiesToGroupBy = ["anInt16"]
    request.sortDescriptors = [NSSortDescriptor(key: "anInt16", ascending: Bool.random(using: &random))]
    let floor = Int.random(in: 0...5, using: &random)
    let hasHaving = Bool.random(using: &random)
    if hasHaving { request.havingPredicate = NSPredicate(format: "count:(anInt64) >= %d", floor) }

    var groups = Dictionary(grouping: rows, by: \.key).sorted { ($0.key ?? .min) < ($1.key ?? .min) }
    if request.sortDescriptors?.first?.ascending == false { groups.reverse() }
    if hasHaving { groups.removeAll { $0.value.compactMap(\.whole).count < floor } }

    let context = stack.context()
    try context.performAndWait {
      let found = try context.fetch(request)
      #expect(found.map { $0["anInt16"] as? Int } == groups.map(\.key), "seed \(seed)")
      for (dictionary, group) in zip(found, groups) {
        for name in names {
          let (whole, real) = (group.value.compactMap(\.whole).map(Double.init), group.value.compactMap(\.real))
          let (first, second) = (dictionary["\(name)-anInt64"] as? NSNumber, dictionary["\(name)-aDouble"] as? NSNumber)
          #expect(first?.doubleValue == Self.expected(name, of: whole), "seed \(seed) \(name) \(group.key ?? -1)")
          #expect(second?.doubleValue == Self.expected(name, of: real), "seed \(seed) \(name) \(group.key ?? -1)")
        }
      }
      let count = try context.count(for: request)
      #expect(count == groups.count, "seed \(seed)")
    }
  }
}
