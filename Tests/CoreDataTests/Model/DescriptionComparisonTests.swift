import Testing

@testable import CoreData

struct DescriptionComparisonTests {
  private static func attribute(_ value: Any?) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = "a"
    attribute.userInfo = ["value": value as Any]
    return attribute
  }

  // S9.1
  @Test func valuesThatCannotBeHashedAreComparedByTheirParts() {
    func parts(_ number: Int) -> [String: Any] {
      ["list": [number, "x"] as [Any], "map": ["n": number] as [String: Any]]
    }
    #expect(Self.attribute(parts(1)).isEqual(Self.attribute(parts(1))))
    #expect(!Self.attribute(parts(1)).isEqual(Self.attribute(parts(2))))
    #expect(!Self.attribute(parts(1)).isEqual(Self.attribute([1] as [Any])))
    #expect(Self.attribute([:] as [String: Any]).isEqual(Self.attribute([:] as [String: Any])))
  }
}
