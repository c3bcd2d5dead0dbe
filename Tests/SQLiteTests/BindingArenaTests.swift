import Testing

@testable import SQLite

struct BindingArenaTests {
  @Test func copiesStayWhereTheyAreUntilAReset() {
    let arena = BindingArena()
    let half = [UInt8](repeating: 1, count: BindingArena.capacity / 2)
    let other = [UInt8](repeating: 2, count: BindingArena.capacity / 2)
    let first = half.withUnsafeBytes { arena.copy($0) }
    let second = other.withUnsafeBytes { arena.copy($0) }
    #expect(first?.loadUnaligned(as: UInt8.self) == 1)
    #expect(second?.loadUnaligned(as: UInt8.self) == 2)
    #expect([UInt8(3)].withUnsafeBytes { arena.copy($0) } == nil, "full")
    arena.reset()
    #expect([UInt8(3)].withUnsafeBytes { arena.copy($0) } == first)
  }

  @Test func nothingTakesNoRoomButHasAnAddress() {
    let arena = BindingArena()
    let full = [UInt8](repeating: 1, count: BindingArena.capacity)
    #expect([UInt8]().withUnsafeBytes { arena.copy($0) } != nil)
    #expect(full.withUnsafeBytes { arena.copy($0) } != nil)
    #expect([UInt8]().withUnsafeBytes { arena.copy($0) } != nil)
  }
}
