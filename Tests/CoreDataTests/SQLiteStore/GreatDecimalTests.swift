import Testing

@testable import CoreData

@Suite(.everyStore) struct GreatDecimalTests {
  // S6.4: one with another exponent than a decimal can have, as the file has it, is read.
  @Test(arguments: [
    Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude,
    Decimal(sign: .minus, exponent: 127, significand: 15), Decimal(sign: .plus, exponent: 127, significand: 1),
    Decimal(sign: .minus, exponent: 100, significand: 7),
  ])
  func greatDecimalsAreRead(decimal: Decimal) throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { $0.insert("Sample", ["aDecimal": decimal]) }
    let context = stack.context()
    try context.performAndWait {
      let sample = try #require(try context.all("Sample").first)
      let text = try #require(try stack.sql("SELECT ZADECIMAL FROM ZSAMPLE").first)
      let read = try #require(sample.value(forKey: "aDecimal") as? Decimal, "\(text) was not read")
      let quotient = (read as NSDecimalNumber).doubleValue / (decimal as NSDecimalNumber).doubleValue
      #expect(abs(quotient - 1) < 1e-10, "\(decimal) was read as \(read), from \(text)")
    }
  }
}
