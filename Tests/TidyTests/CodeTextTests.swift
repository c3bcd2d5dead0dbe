import Testing

struct CodeTextTests {
  @Test(arguments: [
    ("let a = 1 // Thread", "let a = 1 "),
    ("a /* x /* y */ z */ b", "a  b"),
    ("f(\"Thread\")", "f(\"\")"),
    ("f(\"a\\\"Thread\")", "f(\"\")"),
    ("f(\"a\\(g(\"x\", h())) b\")", "f(\"(g(\"\", h()))\")"),
    ("f(#\"a\"b\\(c)\"#) + d", "f(#\"\"#) + d"),
    ("f(#\"a\\#(c)\"#)", "f(#\"(c)\"#)"),
    ("f(\"\") + \"\"", "f(\"\") + \"\""),
    ("\"\"\"\nThread \"x\"\n\"\"\" + a", "\"\"\"\n\n\"\"\" + a"),
    ("a // \"\nb", "a \nb"),
    ("/* a\nb */ c", "\n c"),
    ("f(\"http://x\") // y", "f(\"\") "),
  ])
  func onlyCodeIsLeft(text: String, expected: String) {
    #expect(CodeText.of(text) == expected)
  }
}
