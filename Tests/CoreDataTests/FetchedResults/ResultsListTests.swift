import Scheduling
import Testing

@testable import CoreData

/// S7.5: every small list and every change of it.
@Suite(.oneThread) struct ResultsListTests {
  private final class Item {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  /// Where an item belongs: its section's rank and name, and its key in it.
  private struct State: Hashable {
    var rank = 0
    var name = ""
    var key = 0

    var sortKey: [Int] { [rank, key] }
  }

  private typealias List = ResultsList<Item, [Int]>

  private static func order(_ left: [Int], _ right: [Int]) -> Int {
    left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  /// A list and its expected state.
  private struct Bench {
    let items: [Item]
    var states: [State?]
    var list: List

    init(_ states: [State?], isSectioned: Bool, isLazy: Bool = false) throws {
      let items = states.indices.map(Item.init)
      self.items = items
      self.states = states
      list = List(isSectioned: isSectioned, order: ResultsListTests.order) { states[$0.number]?.sortKey ?? [] }
      let present = items.filter { states[$0.number] != nil }.sorted {
        let order = ResultsListTests.order(states[$0.number]!.sortKey, states[$1.number]!.sortKey)
        return order == 0 ? $0.number < $1.number : order < 0
      }
      try list.fill(
        present, keys: isLazy ? [] : present.map { states[$0.number]!.sortKey },
        names: isSectioned ? present.map { SectionName(states[$0.number]!.name) } : [])
    }

    func table() -> ShadowTable {
      ShadowTable(
        sections: list.sections.indices.map { index in
          .init(
            name: list.sections[index].name.text,
            rows: list.elements[list.sections[index].start..<list.end(ofSection: index)].map(ObjectIdentifier.init))
        })
    }

    /// Makes the change, replays its reports, and checks the new list.
    mutating func change(to new: [State?], tellAll: Bool) -> ResultsDiff<Item> {
      let reported = items.filter { tellAll || states[$0.number] != new[$0.number] }
      var shadow = table()
      let (old, oldStates) = (list.elements, states)
      let diff = list.apply(
        list.items(
          reported.map { item in
            (
              item,
              new[item.number].map {
                List.Destination(key: $0.sortKey, section: SectionName(list.isSectioned ? $0.name : ""))
              }
            )
          }))
      states = new
      shadow.apply(Self.steps(diff, list))
      #expect(shadow == table(), "\(oldStates) to \(new)")
      var offsets = old.map { ObjectIdentifier($0) }
      if let difference = diff.difference({ ObjectIdentifier($0) }), let applied = offsets.applying(difference) {
        offsets = applied
      } else {
        Issue.record("no difference")
      }
      #expect(offsets == list.elements.map(ObjectIdentifier.init))
      check(old, oldStates, reported, diff)
      return diff
    }

    private static func steps(_ diff: ResultsDiff<Item>, _ list: List) -> ShadowTable.Steps {
      var steps = ShadowTable.Steps()
      for section in diff.deletedSections { steps.add(section: section.index, name: section.name, .delete) }
      for index in diff.insertedSections { steps.add(section: index, name: list.sections[index].name.text, .insert) }
      func path(_ place: ResultsDiff<Item>.Place?) -> IndexPath? { place.map { [$0.section, $0.item] } }
      for change in diff.changes {
        let type: NSFetchedResultsChangeType =
          switch change.kind {
          case .delete: .delete
          case .insert: .insert
          case .move: .move
          case .update: .update
          }
        steps.add(ObjectIdentifier(change.element), at: path(change.old), type, path(change.new))
      }
      return steps
    }

    private func check(_ old: [Item], _ oldStates: [State?], _ reported: [Item], _ diff: ResultsDiff<Item>) {
      let numbers = list.elements.map(\.number)
      #expect(numbers.sorted() == states.indices.filter { states[$0] != nil })
      for (left, right) in zip(numbers, numbers.dropFirst()) {
        #expect(ResultsListTests.order(states[left]!.sortKey, states[right]!.sortKey) <= 0, "\(oldStates) to \(states)")
      }
      if list.isSectioned {
        for index in list.sections.indices {
          for item in list.elements[list.sections[index].start..<list.end(ofSection: index)] {
            #expect(states[item.number]?.name == list.sections[index].name.text)
          }
        }
        #expect(Set(list.sections.map(\.name)).count == list.sections.count)
        #expect(list.sections.isEmpty == list.elements.isEmpty)
      }
      // A reported object that is or was listed is reported once; no other is.
      let named = diff.changes.map(\.element.number).sorted()
      #expect(named == reported.map(\.number).filter { oldStates[$0] != nil || states[$0] != nil })
      let kept = old.map(\.number).filter { states[$0] != nil }
      let order = numbers.filter { oldStates[$0] != nil }
      let changesSection = kept.contains { oldStates[$0]?.name != states[$0]?.name }
      if kept == order, !changesSection, diff.deletedSections.isEmpty || diff.insertedSections.isEmpty {
        #expect(diff.moves.isEmpty, "nothing moved: \(oldStates) to \(states)")
      }
      if kept != order { #expect(!diff.moves.isEmpty) }
    }
  }

  private static func combinations(_ choices: [State?], _ count: Int) -> [[State?]] {
    (0..<count).reduce([[]]) { lists, _ in lists.flatMap { list in choices.map { list + [$0] } } }
  }

  @Test(arguments: [false, true]) func everyChangeOfThreeInTwoSectionsIsReplayed(_ tellAll: Bool) throws {
    let choices: [State?] = [
      nil, State(rank: 0, name: "A", key: 0), State(rank: 0, name: "A", key: 1), State(rank: 1, name: "B", key: 0),
      State(rank: 1, name: "B", key: 1),
    ]
    let all = Self.combinations(choices, 3)
    for old in all {
      for new in all {
        var bench = try Bench(old, isSectioned: true)
        _ = bench.change(to: new, tellAll: tellAll)
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func everyChangeOfFourWithoutSectionsIsReplayed(_ tellAll: Bool, _ isLazy: Bool) throws {
    let all = Self.combinations([nil, State(key: 0), State(key: 1)], 4)
    for old in all {
      for new in all {
        var bench = try Bench(old, isSectioned: false, isLazy: isLazy)
        _ = bench.change(to: new, tellAll: tellAll)
      }
    }
  }

  /// Sections that change their order with all of their elements: the fewest leave and come again.
  @Test func sectionsThatChangePlacesLeaveAndComeAgain() throws {
    let names = ["A", "B", "C"]
    for ranks in Self.permutations([0, 1, 2]) {
      let old = names.enumerated().map { Optional(State(rank: $0, name: $1)) }
      let new = zip(names, ranks).map { Optional(State(rank: $1, name: $0)) }
      var bench = try Bench(old, isSectioned: true)
      let diff = bench.change(to: new, tellAll: true)
      let staying = Self.longest(ranks.indices.sorted { ranks[$0] < ranks[$1] })
      #expect(diff.deletedSections.count == 3 - staying)
      #expect(diff.moves.count == 3 - staying)
    }
  }

  @Test func asManyAsPossibleStay() throws {
    for keys in Self.permutations([0, 1, 2, 3, 4]) {
      var bench = try Bench((0..<5).map { State(key: $0) }, isSectioned: false)
      let diff = bench.change(to: keys.map { State(key: $0) }, tellAll: true)
      let byKey = keys.indices.sorted { keys[$0] < keys[$1] }
      #expect(diff.moves.count == 5 - Self.longest(byKey))
    }
  }

  /// More changes at once than are carried out one by one.
  @Test(arguments: [false, true], [UInt64(1), 2, 3, 4]) func manyChangesAreReplayed(_ isSectioned: Bool, _ seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    func state() -> State? {
      guard Int.random(in: 0..<3, using: &random) > 0 else { return nil }
      let rank = isSectioned ? Int.random(in: 0..<6, using: &random) : 0
      return State(rank: rank, name: "\(rank)", key: Int.random(in: 0..<8, using: &random))
    }
    var bench = try Bench((0..<40).map { _ in state() }, isSectioned: isSectioned)
    for _ in 0..<150 {
      let share = Int.random(in: 1...4, using: &random)
      let new = bench.states.map { Int.random(in: 0..<4, using: &random) < share ? state() : $0 }
      _ = bench.change(to: new, tellAll: Bool.random(using: &random))
    }
  }

  // S7.5, S7.1: names that look alike are sorted apart, so they are sections of their own.
  @Test func namesThatLookAlikeAreSectionsOfTheirOwn() throws {
    var list = List(isSectioned: true, order: Self.order, readKey: { [$0.number] })
    try list.fill(
      (0..<3).map(Item.init), keys: [[0], [1], [2]],
      names: [SectionName("cafe\u{301}"), SectionName("cafe\u{301}s"), SectionName("caf\u{e9}")])
    #expect(list.sections.map(\.start) == [0, 1, 2])
  }

  @Test func aSectionNameThatComesAgainIsRefused() throws {
    var list = List(isSectioned: true, order: Self.order) { _ in [] }
    #expect {
      try list.fill((0..<3).map(Item.init), keys: [[0], [1], [2]], names: ["A", "B", "A"])
    } throws: { error in
      guard let error = error as? List.OutOfOrder else { return false }
      return error.index == 2 && error.name == "A"
    }
  }

  private static func permutations(_ values: [Int]) -> [[Int]] {
    guard values.count > 1 else { return [values] }
    return values.indices.flatMap { index in
      var rest = values
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  /// The longest increasing subsequence with everything that kept its place, by trying every subsequence.
  private static func longest(_ values: [Int]) -> Int {
    (0..<(1 << values.count)).map { mask in
      let chosen = values.indices.filter { mask & (1 << $0) != 0 || values[$0] == $0 }.map { values[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? chosen.count : 0
    }.max() ?? 0
  }
}
