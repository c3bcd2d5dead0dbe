import Mutants
import Testing

/// The source as it is now, with what is before it behind the switch `#`; nil where no switch can.
private func switched(_ now: String, to before: String) -> String? {
  let reversal = Reversal(now: now, before: before, file: "File.swift")
  let planted = reversal.mutants.map { PlantedMutant(number: 1, mutant: $0) }
  return reversal.isWhole ? Planting.plant(planted, in: now).text.replacing("_mutated(1)", with: "#") : nil
}

@Suite struct ReversalTests {
  @Test func aBodyIsSwitched() {
    #expect(
      switched("func f() { a(); b() }", to: "func f() { a() }") == "func f() { if # { a()\n} else { a(); b()\n} }")
    #expect(switched("func f() {}", to: "func f() { a() }") == "func f() {if # { a()\n}}")
  }

  @Test func whatIsReturnedWithoutTheWordIsReturned() {
    #expect(
      switched("var a: Int { b }", to: "var a: Int { c(); return d }")
        == "var a: Int { if # { c(); return d\n} else { return b\n} }")
    #expect(
      switched("func f() -> Int { b }", to: "func f() -> Int { c }")
        == "func f() -> Int { if # { return c\n} else { return b\n} }")
  }

  @Test func aFunctionThatWentIsThereAgain() {
    #expect(
      switched("struct S { func f() { a() } }", to: "struct S { func f() { g() }\nfunc g() {} }")
        == "struct S {\nfunc g() {} \n func f() { if # { g()\n} else { a()\n} } }")
  }

  @Test func whatIsNewStays() {
    #expect(switched("struct S { let a = 1 }", to: "struct S { }") == "struct S { let a = 1 }")
    #expect(switched("func f() {} // now", to: "// before\nfunc f() {}") == "func f() {} // now")
  }

  @Test func anObserverThatIsNewIsLeftOut() {
    #expect(
      switched("struct S { var a = 1 { didSet { b() } } }", to: "struct S { var a = 1 }")
        == "struct S { var a = 1 { didSet { if !# { b()\n} } } }")
  }

  @Test func besideWhatCannotBeSwitchedTheRestIs() {
    let reversal = Reversal(
      now: "struct S { func f() { a() } }", before: "struct S { let b = 1; func f() { c() } }", file: "File.swift")
    #expect(!reversal.isWhole)
    #expect(reversal.mutants.map(\.note) == ["struct S func f ( )"])
  }

  @Test func aStoredPropertyIsNotSwitched() {
    #expect(switched("struct S { }", to: "struct S { let a = 1 }") == nil)
    #expect(
      switched("struct S { var a = 1 { didSet { b() } } }", to: "struct S { var a = 2 { didSet { b() } } }") == nil)
  }
}
