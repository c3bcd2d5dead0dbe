import Testing

@testable import CoreData

@Suite struct AliasRoundsTests {
  private final class Descendant {}

  private let first = Descendant()
  private let second = Descendant()

  /// Rounds of single keys with these descendants, of which one with these keys is under way.
  private func round(of keys: [Int64], for descendants: [Descendant]) -> AliasRounds {
    var rounds = AliasRounds()
    rounds.keysMin = 1
    for descendant in descendants { rounds.add(ObjectIdentifier(descendant)) }
    for key in keys { rounds.note(key) }
    rounds.beginIfDue()
    return rounds
  }

  @Test func whatIsNotUsedGoesOnceAllHaveLooked() {
    var rounds = round(of: [-1, -2, -3], for: [first, second])
    #expect(rounds.settle(ObjectIdentifier(first), uses: [-1], visited: 1) == [])
    #expect(rounds.awaits(ObjectIdentifier(second)) && !rounds.awaits(ObjectIdentifier(first)))
    #expect(rounds.settle(ObjectIdentifier(second), uses: [-2], visited: 1) == [-3])
    #expect(!rounds.isOpen)
    rounds.beginIfDue()
    #expect(rounds.candidates == [-1, -2])
  }

  @Test func aKeyThatIsTakenAfterLookingIsKept() {
    var rounds = round(of: [-1, -2], for: [first, second])
    _ = rounds.settle(ObjectIdentifier(first), uses: [], visited: 0)
    rounds.use(-1, by: ObjectIdentifier(first))
    #expect(rounds.settle(ObjectIdentifier(second), uses: [], visited: 0) == [-2])
  }

  @Test func whoGoesIsNotWaitedForAndWhoComesHasNothing() {
    var rounds = round(of: [-1], for: [first])
    rounds.add(ObjectIdentifier(second))
    #expect(!rounds.awaits(ObjectIdentifier(second)))
    #expect(rounds.remove(ObjectIdentifier(first)) == [-1])
  }

  @Test func withoutADescendantNoRoundBegins() {
    #expect(!round(of: [-1], for: []).isOpen)
  }

  @Test func aRoundIsWorthTheObjectsThatTheLastOneLookedAt() {
    var rounds = round(of: [-1], for: [first])
    _ = rounds.settle(ObjectIdentifier(first), uses: [], visited: 3)
    for (key, isDue) in [(Int64(-2), false), (-3, false), (-4, true)] {
      rounds.note(key)
      rounds.beginIfDue()
      #expect(rounds.isOpen == isDue)
    }
  }
}
