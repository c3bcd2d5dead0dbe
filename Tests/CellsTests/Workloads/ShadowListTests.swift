import Testing

@testable import Cells

@Suite struct ShadowListTests {
  private typealias List = ShadowList<String>
  private typealias Place = ShadowList<String>.Place

  private func list(_ sections: (String, String)...) -> List {
    List(sections.map { List.Section(name: $0.0, items: $0.1.map(String.init)) })
  }

  private func place(_ section: Int, _ item: Int) -> Place { Place(section: section, item: item) }

  @Test func changesTurnTheOldListIntoTheNewOne() {
    var shadow = list(("a", "abc"), ("b", "de"), ("d", "f"))
    var changes = List.Changes()
    // Section b goes: d moves into a new one, e leaves; a goes to the end of its section, x comes where it was.
    changes.deletedSections = [1]
    changes.insertedSections = [(1, "c")]
    changes.removed = [(place(0, 0), "a"), (place(1, 0), "d"), (place(1, 1), "e")]
    changes.inserted = [(place(1, 0), "d"), (place(0, 2), "a"), (place(0, 3), "x")]
    changes.updated = [(place(2, 0), "f")]
    #expect(shadow.apply(changes) == nil)
    #expect(shadow == list(("a", "bcax"), ("c", "d"), ("d", "f")))
    #expect(changes.count == 9)
  }

  @Test func aChangeAtAPlaceThatTheOldListDoesNotHaveIsWrong() {
    for wrong in [place(0, 2), place(1, 0)] {
      var shadow = list(("a", "ab"))
      var changes = List.Changes()
      changes.removed = [(wrong, "b")]
      #expect(shadow.apply(changes) != nil)
      changes = List.Changes()
      changes.updated = [(wrong, "b")]
      #expect(shadow.apply(changes) != nil)
    }
  }

  @Test func whatLeavesMustBeListed() {
    var shadow = list(("a", "ab"))
    var changes = List.Changes()
    changes.removed = [(place(0, 0), "b")]
    #expect(shadow.apply(changes) != nil)
  }

  @Test func anItemCannotLeaveTwice() {
    var shadow = list(("a", "a"))
    var changes = List.Changes()
    changes.removed = [(place(0, 0), "a"), (place(0, 0), "a")]
    #expect(shadow.apply(changes) != nil)
  }

  @Test func aSectionCannotLeaveWithItemsThatWereNotReported() {
    var shadow = list(("a", "ab"), ("b", "c"))
    var changes = List.Changes()
    changes.deletedSections = [1]
    #expect(shadow.apply(changes) != nil)
  }

  @Test func nothingComesBeyondTheEndOfTheNewList() {
    for (sections, item) in [([(3, "d")], place(0, 0)), ([], place(0, 3)), ([], place(2, 0))] {
      var shadow = list(("a", "ab"), ("b", "c"))
      var changes = List.Changes()
      changes.insertedSections = sections
      changes.inserted = [(item, "x")]
      #expect(shadow.apply(changes) != nil)
    }
  }

  @Test func changesMadeInTheNewListOnceMoreAreFound() {
    var shadow = list(("a", "xab"))
    var changes = List.Changes()
    changes.inserted = [(place(0, 0), "x")]
    #expect(shadow.apply(changes) == nil)
    #expect(shadow.difference(from: list(("a", "xab")), { $0 }) == "x instead of a at 0.1, 4 items instead of 3")
  }

  @Test func aDifferenceSaysWhereItIs() {
    let shadow = list(("a", "ab"), ("b", "c"))
    #expect(shadow.difference(from: shadow, { $0 }) == nil)
    #expect(
      shadow.difference(from: list(("a", "ab"), ("b", "")), { $0 })
        == "c instead of nothing at 1.0, 1 items instead of 0")
    #expect(shadow.difference(from: list(("a", "ab")), { $0 }) == #"sections ["a", "b"] instead of ["a"]"#)
  }

  @Test func twoItemsThatLookAlikeAreDifferent() {
    #expect(
      list(("a", "x")).difference(from: list(("a", "y")), { _ in "p1" })
        == "p1 instead of another object that is p1 at 0.0, 1 items instead of 1")
  }
}
