import Testing

@testable import CoreData
@testable import RowStore

/// Predicates about data that may lie in files beside the store: the same before and after the save. S7.2, S6.4
@Suite(.everyStore, .oneThread) struct ExternalDataPredicateTests {
  private static let small = Data([1, 2, 3])
  private static let large = Album.value(1)
  private static let larger = Album.value(2)

  /// Houses 1 and 2 of owner 1 have a small and a large picture, 3 has a larger one and no owner, 4 has none.
  private func fill(_ context: NSManagedObjectContext) {
    let owner = context.insert("Owner", ["n": 1, "portrait": Self.large])
    context.insert("Owner", ["n": 2, "portrait": Self.small])
    for (number, picture) in [(1, Self.small), (2, Self.large), (3, Self.larger), (4, nil)] {
      let house = context.insert("House", ["n": number])
      house.setValue(picture, forKey: "picture")
      if number < 3 { house.setValue(owner, forKey: "owner") }
    }
  }

  // S7.2, S6.4
  @Test func dataInFilesAreCompared() throws {
    let context = try TestStack(model: Estate.model()).context()
    let (small, large, larger) = (Self.small, Self.large, Self.larger)
    try context.performAndWait {
      fill(context)
      try context.inEveryState { context, state in
        for (predicate, numbers) in [
          (NSPredicate(format: "picture == %@", large), [2]), (NSPredicate(format: "picture == %@", small), [1]),
          (NSPredicate(format: "picture != %@", large), [1, 3, 4]),
          (NSPredicate(format: "picture IN %@", [small, larger]), [1, 3]),
          (NSPredicate(format: "NOT picture IN %@", [small, larger]), [2, 4]),
          (NSPredicate(format: "picture.length == %d", large.count), [2]),
          (NSPredicate(format: "picture.length > 3"), [2, 3]), (NSPredicate(format: "picture == nil"), [4]),
          (NSPredicate(format: "picture != nil"), [1, 2, 3]), (NSPredicate(format: "picture < %@", larger), [1, 2]),
          (NSPredicate(format: "picture BETWEEN %@", [small, larger]), [1, 3]),
          (NSPredicate(format: "picture == owner.portrait"), [2, 4]),
          (NSPredicate(format: "n > 1 AND picture == owner.portrait"), [2, 4]),
        ] {
          try context.expect("House", predicate, finds: numbers, state)
        }
        for (predicate, numbers) in [
          (NSPredicate(format: "ANY houses.picture == %@", large), [1]),
          (NSPredicate(format: "NONE houses.picture == %@", large), [2]),
          (NSPredicate(format: "SUBQUERY(houses, $h, $h.picture == %@).@count == 1", large), [1]),
          (NSPredicate(format: "ALL houses.picture.length > 2"), [1, 2]),
          (NSPredicate(format: "houses.@max.picture == %@", small), [1]),
          (NSPredicate(format: "%@ IN houses.picture", small), [1]),
        ] {
          try context.expect("Owner", predicate, finds: numbers, state)
        }
      }
    }
  }

  @Test("S9.2: a rule of the model sees the data of a file")
  func aRuleSeesTheDataOfAFile() throws {
    let model = Estate.model()
    let picture = try #require(model.entitiesByName["House"]?.attributesByName["picture"])
    picture.setValidationPredicates([NSPredicate(format: "SELF.length > 2")], withValidationWarnings: [])
    let stack = try TestStack(model: model)
    try stack.change { $0.insert("House", ["n": 1, "picture": Self.large]) }
    try stack.change { context in
      try #require(try context.all("House").first).setValue(2, forKey: "n")
    }
    #expect(try stack.sql("SELECT ZN FROM ZHOUSE") == ["2"])
  }

  @Test("S6.4: a value whose file is gone is equal to nothing, and not nil: its column is not")
  func aMissingFileIsEqualToNothing() throws {
    let stack = try TestStack(.file, model: Estate.model())
    try stack.change { $0.insert("House", ["n": 1, "picture": Self.large]) }
    try FileManager.default.removeItem(at: Album.folder(stack.url))
    let context = try TestStack(model: stack.container.managedObjectModel, url: stack.url).context()
    try context.performAndWait {
      try context.expect("House", NSPredicate(format: "picture == %@", Self.large), finds: [], "gone")
      try context.expect("House", NSPredicate(format: "picture == nil"), finds: [], "gone")
    }
  }
}
