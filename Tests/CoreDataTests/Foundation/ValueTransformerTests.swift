import CoreData
import Testing

/// Found by its name alone, and made by the initialiser that it overrides.
final class NamedDoubler: ValueTransformer {
  let factor: Int

  override init() {
    factor = 2
    super.init()
  }

  override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 * factor } }
}

/// Overrides no initialiser, and has stored properties.
class NamedReverser: ValueTransformer {
  var calls = 0

  override func transformedValue(_ value: Any?) -> Any? {
    calls += 1
    return (value as? String).map { String($0.reversed()) }
  }
}

/// Has an initialiser of its own only: it can be registered, not found.
final class Scaler: ValueTransformer {
  private let factor: Int

  init(factor: Int) {
    self.factor = factor
    super.init()
  }

  override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 * factor } }
}

@Suite struct ValueTransformerTests {
  // S9.2
  @Test func aClassMayHaveInitialisersOfItsOwn() {
    let name = NSValueTransformerName("ValueTransformerTests.scaler")
    ValueTransformer.setValueTransformer(Scaler(factor: 5), forName: name)
    #expect(ValueTransformer(forName: name)?.transformedValue(2) as? Int == 10)
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
  }

  // S9.2
  @Test(arguments: ["NamedDoubler", "CoreDataTests.NamedDoubler"])
  func aTransformerIsMadeOfTheClassOfItsName(name: String) {
    let transformer = ValueTransformer(forName: NSValueTransformerName(name))
    #expect(transformer is NamedDoubler)
    #expect(transformer?.transformedValue(4) as? Int == 8)
  }

  // S9.2: the name that `@objc(Name)` gave a class.
  @Test func aClassIsFoundByItsNameForObjectiveC() {
    let transformer = ValueTransformer(forName: NSValueTransformerName("CBReverser")) as? NamedReverser
    #expect(transformer?.transformedValue("abc") as? String == "cba")
    #expect(transformer?.calls == 1)
    #expect(ValueTransformer(forName: NSValueTransformerName("Leaf")) == nil, "no class of transformers")
  }
}
