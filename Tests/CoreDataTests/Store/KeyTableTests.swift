import Testing

@testable import CoreData
@testable import RowStore

@Suite struct KeyTableTests {
  // S2.2
  @Test(arguments: [1, 3, 8, 9, 1_000] as [Int64]) func keysAreFoundHoweverFarApartTheyAre(_ step: Int64) {
    let temporary = ContiguousArray((1...50).map { -Int64($0) * step })
    var table = KeyTable(temporary)
    #expect(temporary.allSatisfy { table[$0] == 0 })
    for (index, key) in temporary.enumerated() { table[key] = Int64(index) + 1 }
    for (index, key) in temporary.enumerated() { #expect(table.permanent(key) == Int64(index) + 1) }
    for other in [-51 * step, -step - 1_000_003, Int64.min + 1] {
      #expect(table[other] == nil)
      #expect(table.permanent(other) == 0)
    }
  }

  // S2.2
  @Test func aKeyOfAnotherSaveIsAddedInsideAndOutsideTheRange() {
    var table = KeyTable([-10, -14])
    #expect(table[-12] == nil)
    for key in [-12, -3, -99] as [Int64] { table[key] = -key }
    for key in [-12, -3, -99] as [Int64] { #expect(table.permanent(key) == -key) }
    #expect(table[-10] == 0 && table[-14] == 0)
  }

  // S2.2
  @Test func permanentKeysStandForThemselves() {
    #expect(KeyTable([]).permanent(17) == 17)
    #expect(KeyTable([])[-1] == nil)
  }
}
