import CoreData
import Scheduling
import Testing

/// How exact decimals are in a store.
@Suite(.everyStore) struct DecimalTests {
  /// The decimals as another stack, or another context, reads them.
  private func read(_ decimals: [Decimal]) throws -> [Decimal?] {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      for (index, decimal) in decimals.enumerated() {
        context.insert("Sample", ["aDecimal": decimal, "anInt64": index])
      }
    }
    let context = stack.context()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
      request.sortDescriptors = [NSSortDescriptor(key: "anInt64", ascending: true)]
      return try context.fetch(request).map { $0.value(forKey: "aDecimal") as? Decimal }
    }
  }

  // S6.4
  @Test func decimalsOfUpToFifteenDigitsAreExact() throws {
    var random = SeededRandom(seed: 15)
    let decimals = (0..<500).map { _ in
      let digits = Int(random.next() % 15) + 1
      let significand = (0..<digits).reduce(Decimal(0)) { value, _ in value * 10 + Decimal(Int(random.next() % 10)) }
      let exponent = Int(random.next() % 40) - 30
      return Decimal(sign: random.next() % 2 == 0 ? .plus : .minus, exponent: exponent, significand: significand)
    }
    #expect(try read(decimals) == decimals)
  }

  // S6.4
  @Test func wholeNumbersAreExactAsFarAsIntegersGo() throws {
    let decimals = [Decimal(Int64.max), Decimal(Int64.min + 1), Decimal(string: "1234567890123456789") ?? 0]
    #expect(try read(decimals) == decimals)
  }

  // S6.4: the column has Apple's type, for which SQLite keeps a floating-point number.
  @Test func longerDecimalsAreRounded() throws {
    let long = try #require(Decimal(string: "0.12345678901234567890"))
    let short = try #require(Decimal(string: "0.123456789012346"))
    #expect(try read([long]) == [short])
  }
}
