import Testing

@testable import Cells

@Suite struct NestingDirectionTests {
  private func places(_ direction: NestingDirection, depth: Int) -> [NestingDirection.Place] {
    (0..<depth).map { direction.place(at: $0, of: depth) }
  }

  @Test func mainIsOutermostWhenMainGoesIntoPrivateContexts() {
    #expect(places(.mainToPrivate, depth: 4) == [.main, .a, .b, .a])
  }

  // Main inside main's own waits would be a cycle, so it is only ever the last.
  @Test(arguments: 1...6)
  func mainIsInnermostWhenPrivateContextsGoIntoMain(depth: Int) {
    let places = places(.privateToMain, depth: depth)
    #expect(places.last == .main)
    #expect(!places.dropLast().contains(.main))
  }

  @Test func privateContextsAlternate() {
    #expect(places(.amongPrivate, depth: 4) == [.a, .b, .a, .b])
  }
}
