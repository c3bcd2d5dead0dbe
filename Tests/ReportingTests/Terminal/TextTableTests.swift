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
        key                  n  meaning
        ────────────────  ────  ────────────
        notes             5000  Notes in the
                                data, of
                                which there
                                are many.
        averyveryverylon        Short.
        gword

        """)
    #expect(table.rendered(width: 200) == table.rendered())
  }

  @Test func aLongTextDoesNotPushTheOthersAway() {
    var table = TextTable(columns: [.left("key"), .left("value"), .left("meaning")])
    table.append(["hazard", "one of a, b, c, d, e", "The mistake."])
    table.append(["notes", "number", "Notes in the data."])
    #expect(
      table.rendered(paddingMax: 10) == """
        key     value       meaning
        ──────  ──────────  ──────────
        hazard  one of a, b, c, d, e  The mistake.
        notes   number      Notes in the data.

        """)
    #expect(table.rendered(width: 50, paddingMax: 10) == table.rendered(width: 50))
  }

  @Test func lessImportantColumnsGoBeforeWordsAreBroken() {
    var table = TextTable(columns: [.left("strategy"), .left("measure"), .right("noise", dropped: 1), .left("verdict")])
    table.append(["main-only", "until_durable_s", "unknown", "inconclusive: 3 more cells"])
    #expect(
      table.rendered(width: 49) == """
        strategy   measure          verdict
        ─────────  ───────────────  ─────────────────────
        main-only  until_durable_s  inconclusive: 3 more
                                    cells
        too wide for 49 columns, left out: noise

        """)
    #expect(table.rendered(width: 56).contains("noise"))
  }

  @Test func aListIsBrokenBetweenItsParts() {
    var table = TextTable(columns: [.left("strategy"), .left("options"), .left("meaning")])
    table.append(["main-only", "merge=async;reset_after_save=true", "One context."])
    #expect(
      table.rendered(width: 46) == """
        strategy   options                meaning
        ─────────  ─────────────────────  ────────────
        main-only  merge=async;           One context.
                   reset_after_save=true

        """)
  }

  @Test func aTableIsNotMadeNarrowerThanCanBeRead() {
    var table = TextTable(columns: [.left("a"), .left("b")])
    table.append(["one two three four", "five six seven eight"])
    #expect(table.rendered(width: 1) == table.rendered(width: 26))
  }

  /// A table of a run: names, numbers of different importance, a verdict.
  private static let wide: TextTable = {
    var table = TextTable(columns: [
      .left("strategy"), .right("until durable"), .right("until visible", dropped: 2), .right("floor", dropped: 3),
      .right("main thread"), .right("push", dropped: 5), .right("save", dropped: 5), .right("worst stall", dropped: 1),
      .left("verdict"),
    ])
    for strategy in ["single-background-writer", "parent-child"] {
      table.append([strategy, "1.23 s", "1.24 s", "2.03×", "72.2 ms", "152 ms", "199 ms", "2.70 ms", "held"])
    }
    return table
  }()

  @Test(arguments: [61, 70, 80, 100, 120, 200]) func aTableFitsWithoutBreakingANumber(width: Int) {
    let lines = Self.wide.rendered(width: width).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    for line in lines[2..<4] {
      #expect(line.contains("1.23 s") && line.contains("72.2 ms") && line.hasSuffix("held"), "\(line)")
    }
    #expect(lines[0].contains("worst stall") == (width >= 80) && lines[0].contains("push") == (width >= 120))
    let note = lines[4...].joined(separator: " ")
    #expect(note.hasPrefix("too wide for \(width) columns, left out: ") == (width < 120), "\(note)")
    #expect(note.contains("push, save") == (width < 120) && note.contains("until durable") == false, "\(note)")
  }

  @Test func withoutAWidthNothingIsLeftOut() {
    #expect(Self.wide.rendered() == Self.wide.rendered(width: 1000))
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
