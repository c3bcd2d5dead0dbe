import Testing

@testable import RowStore

/// Numbers as texts have a point, whatever the locale of the process. S7.2
@Suite struct NumberTextTests {
  // S7.2
  @Test func theDecimalSignOfALocaleIsAPoint() {
    for (text, wanted) in [
      ("1,5", "1.5"), ("-2\u{66B}25", "-2.25"), ("1,5e+20", "1.5e+20"), ("1.5", "1.5"), ("3", "3"), ("nan", "nan"),
    ] {
      #expect(NumberText.withPoint(text) == wanted)
    }
  }
}
