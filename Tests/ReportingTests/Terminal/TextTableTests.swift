import Testing

@testable import Reporting

struct TextTableTests {
  @Test func numbersStandToTheRight() {
    var table = TextTable(columns: [.left("strategy"), .right("time"), .left("verdict")])
    table.append(["parent-child", "1.2 s", "held"])
    table.append(["main-only", "–", "violated"])
    #expect(
      table.rendered() == """
        strategy       time  verdict
        ────────────  ─────  ────────
        parent-child  1.2 s  held
        main-only         –  violated

        """)
  }

  @Test func longTextsAreBrokenBetweenWordsWhereTheTerminalIsNarrow() {
    var table = TextTable(columns: [.left("key"), .right("n"), .left("meaning")])
    table.append(["notes", "5000", "Notes in the data, of which there are many."])
    table.append(["averyveryverylongword", "", "Short."])
    #expect(
      table.rendered(width: 36) == """
        key                n  meaning
        ──────────────  ────  ──────────────
        notes           5000  Notes in the
                              data, of which
                              there are
                              many.
        averyveryveryl        Short.
        ongword

        """)
    #expect(table.rendered(width: 200) == table.rendered())
  }

  @Test func aTableIsNotMadeNarrowerThanCanBeRead() {
    var table = TextTable(columns: [.left("a"), .left("b")])
    table.append(["one two three four", "five six seven eight"])
    #expect(table.rendered(width: 1) == table.rendered(width: 26))
  }

  @Test func noLineEndsInBlanks() {
    var table = TextTable(columns: [.left("a"), .right("b"), .left("c")])
    table.append(["x", "", ""])
    table.append(["longer", "1", "y"])
    for line in table.rendered().split(separator: "\n") { #expect(line.last != " ", "\(line)") }
  }

  @Test func colourChangesNothingButColour() {
    var table = TextTable(columns: [.left("verdict"), .right("n")])
    table.append([.init("violated", .bad), .init("12", .faint)])
    table.append([.init("held", .good), "3"])
    let coloured = table.rendered(colour: true)
    #expect(coloured.contains("\u{1B}[31mviolated\u{1B}[0m"))
    let plain = coloured.replacing(/\u{1B}\[[0-9]+m/, with: "")
    #expect(plain == table.rendered(colour: false))
    #expect(!table.rendered().contains("\u{1B}"))
  }

  @Test func aTableWithoutRowsIsItsHeader() {
    #expect(TextTable(columns: [.left("ab"), .right("c")]).rendered() == "ab  c\n──  ─\n")
  }
}
