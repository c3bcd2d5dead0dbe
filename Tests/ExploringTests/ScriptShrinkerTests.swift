import Boundary
import Testing

@testable import Exploring

struct ScriptShrinkerTests {
  private static let head = """
    # lost-record: Note 3: expected a row; none
    # to repeat: contextbench run anything --strategy main-only --seed 7 --set script=FILE
    client 2

    """

  private static let text =
    head + """
      write: insert 1 Note; insert 2 Word; set 2 text 4; add 1 words 2
      own look everything
      child edit: set 1 size 3; delete 2
      own save
      child save

      """

  @Test func aScriptIsReadAndWrittenAsItIs() throws {
    let script = try #require(OperationScript(text: Self.text))
    #expect(script.kind == "lost-record")
    #expect(script.text == Self.text)
    #expect(
      script.arguments(for: "/tmp/a script")
        == ["run", "anything", "--strategy", "main-only", "--seed", "7", "--set", "script=/tmp/a script"])
  }

  @Test(arguments: [
    "", "client 2\nown save\n", "# a\n# to repeat: contextbench run anything\nclient 2\nown save\n",
    "contextbench schedule 3\n",
  ])
  func otherTextIsNoScript(_ text: String) { #expect(OperationScript(text: text) == nil) }

  // The needed steps: the insertion of 2, its deletion, and a save of the child after it.
  private static func isNeeded(_ script: OperationScript) -> Bool {
    let lines = script.text.split(separator: "\n").map(String.init)
    guard let insertion = lines.firstIndex(where: { $0.contains("insert 2 Word") }),
      let deletion = lines.firstIndex(where: { $0.contains("delete 2") }), let save = lines.firstIndex(of: "child save")
    else { return false }
    return insertion < deletion && deletion < save
  }

  @Test func onlyTheStepsAndEditsThatMatterAreLeft() throws {
    let script = try #require(OperationScript(text: Self.text))
    let small = try ScriptShrinker(until: { false }, shows: Self.isNeeded).shrink(script)
    #expect(small.text == Self.head + "write: insert 2 Word\nchild edit: delete 2\nchild save\n")
  }

  @Test func whatIsFoundWhenTheTimeIsUpIsKept() throws {
    let script = try #require(OperationScript(text: Self.text))
    // Scripts are tried one after the other, in this test alone.
    nonisolated(unsafe) var tries = 0
    let shrinker = ScriptShrinker(until: { tries >= 2 }) { tried in
      tries += 1
      return Self.isNeeded(tried)
    }
    let small = try shrinker.shrink(script)
    #expect(Self.isNeeded(small))
    #expect(tries == 2)
  }
}
