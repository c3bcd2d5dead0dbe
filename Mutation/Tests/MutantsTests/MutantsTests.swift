import Mutants
import Testing

/// Sources with one mutant each: `Before ⇒ after`, where the switch is `#`.
private func mutants(_ source: String, _ mutation: MutationOperator) -> [String] {
  MutantFinder.mutants(in: source, file: "File.swift").filter { $0.mutation == mutation }.map { planted([$0], source) }
}

private func planted(_ mutants: [Mutant], _ source: String) -> String {
  let numbered = mutants.enumerated().map { PlantedMutant(number: $0.offset + 1, mutant: $0.element) }
  return Planting.plant(numbered, in: source).text.replacing("_mutated(1)", with: "#")
}

@Suite struct MutantsTests {
  @Test func aCallAndAnAssignmentAreLeftOut() {
    #expect(mutants("func f() { try g() }", .removedStatement) == ["func f() { if !# { try g() } }"])
    #expect(mutants("func f() { a.b = 1 }", .removedStatement) == ["func f() { if !# { a.b = 1 } }"])
    #expect(mutants("func f() { a += 1 }", .removedStatement) == ["func f() { if !# { a += 1 } }"])
    #expect(mutants("func f() { let a = g() }", .removedStatement).isEmpty)
  }

  @Test func whatIsReturnedIsNotLeftOut() {
    #expect(mutants("func f() -> Int { g() }", .removedStatement).isEmpty)
    #expect(mutants("var a: Int { g() }", .removedStatement).isEmpty)
  }

  @Test func whatIsAssumedOrOnlyMakesRoomIsLeftAlone() {
    #expect(MutantFinder.mutants(in: "func f() { precondition(a < b, text) }", file: "F").isEmpty)
    #expect(MutantFinder.mutants(in: "func f() { a.reserveCapacity(1 + b) }", file: "F").isEmpty)
    #expect(MutantFinder.mutants(in: "var description: String { a < b ? c : d }", file: "F").isEmpty)
  }

  @Test func whatTellsAndWhatLocksHasAKindOfItsOwn() {
    #expect(mutants("func f() { center.post(a) }", .droppedNotification) == ["func f() { if !# { center.post(a) } }"])
    #expect(mutants("func f() { a.lock() }", .droppedLock) == ["func f() { if !# { a.lock() } }"])
    #expect(mutants("let a = b.withLock { $0 }", .droppedLock) == ["let a = b.withLock (dropped: #) { $0 }"])
  }

  @Test func aConditionIsNegatedAndLeftOutAndNeverSo() {
    let source = "func f() { if let a, b { c } }"
    #expect(mutants(source, .negatedCondition) == ["func f() { if let a, (# != (b)) { c } }"])
    #expect(mutants(source, .droppedClause) == ["func f() { if let a, (# || (b)) { c } }"])
    #expect(mutants(source, .skippedBranch) == ["func f() { if let a, b, !# { c } }"])
    #expect(
      mutants("func f() { guard a else { return } }", .earlyReturn) == ["func f() { guard a, !# else { return } }"])
  }

  @Test func aComparisonIsRelaxed() {
    #expect(mutants("let a = b < c", .relaxedCondition) == ["let a = (# ? (b <= c) : (b < c))"])
    #expect(
      mutants("func f() { return a && b }", .relaxedCondition) == [
        "func f() { if # { return a || b } else { return a && b } }"
      ])
    #expect(
      mutants("let a = b && c", .droppedClause) == ["let a = (# ? (b) : (b && c))", "let a = (# ? (c) : (b && c))"])
  }

  @Test func numbersAreOneOff() {
    #expect(mutants("let a = b + 1", .offByOne) == ["let a = (# ? (b - 1) : (b + 1))", "let a = b + (# ? (2) : (1))"])
    #expect(mutants("for a in b..<c { d() }", .offByOne) == ["for a in b..<(# ? (c - 1) : (c)) { d() }"])
  }

  @Test func argumentsChangePlacesUnderTheirLabels() {
    #expect(
      mutants("let a = f(x: b, y: c.d)", .swappedArguments) == ["let a = (# ? (f(x: c.d, y: b)) : (f(x: b, y: c.d)))"])
    #expect(mutants("let a = f(x: b, y: c + d)", .swappedArguments).isEmpty)
  }

  @Test func aSetIsAnother() {
    #expect(
      mutants("func f() { a.formUnion(b) }", .wrongSet) == [
        "func f() { if # { a.subtract(b) } else { a.formUnion(b) } }"
      ])
    #expect(mutants("let a = b.inserted", .wrongSet) == ["let a = (# ? (b.updated) : (b.inserted))"])
  }

  @Test func aCaseIsNotSeenOrDoesNothing() {
    #expect(
      mutants("func f() { switch a { case .b: c() default: d() } }", .skippedCase)
        == ["func f() { switch a { case .b where !#: c() default: d() } }"])
    #expect(
      mutants("func f() { switch a { case .b: c() case .d: return } }", .skippedCase)
        == ["func f() { switch a { case .b: if # { break }; c() case .d: return } }"])
  }

  @Test func aFunctionAndALoopEndAtOnce() {
    #expect(mutants("func f() { a(); b() }", .earlyReturn) == ["func f() { if # { return }; a(); b() }"])
    #expect(
      mutants("func f() -> Int? { a(); return b }", .earlyReturn) == [
        "func f() -> Int? { if # { return nil }; a(); return b }"
      ])
    #expect(mutants("for a in b { c() }", .earlyReturn) == ["for a in b { if # { break }; c() }"])
  }

  @Test func mutantsOfOnePlaceAreInsideEachOther() {
    let source = "func f() {\n  a.insert(b + 1)\n}\n"
    let all = MutantFinder.mutants(in: source, file: "File.swift")
      .filter { [.removedStatement, .wrongSet, .offByOne].contains($0.mutation) }
    let numbered = all.enumerated().map { PlantedMutant(number: $0.offset + 1, mutant: $0.element) }
    let result = Planting.plant(numbered, in: source)
    #expect(
      result.text == """
        func f() {
          if !_mutated(1) { if _mutated(2) { a.remove(b + 1) } else { if _mutated(3) { a.insert(b - 1) } else { if _mutated(4) \
        { a.insert(b + 2) } else { a.insert(b + 1) } } } }
        }

        """)
    #expect(result.planted.allSatisfy { Set($0.lines) == [2] && $0.around == [1, 3] })
  }

  @Test func aMutantKnowsItsLinesWhereTextBeforeItHasMore() {
    let source = "func f() {\n  a(b < c, {\n    d\n  })\n  e()\n}\nfunc g() {\n  h()\n}\n"
    let all = MutantFinder.mutants(in: source, file: "File.swift")
      .filter { [.relaxedCondition, .removedStatement].contains($0.mutation) && $0.note != "without a(b < c, { d })" }
    let numbered = all.enumerated().map { PlantedMutant(number: $0.offset + 1, mutant: $0.element) }
    let result = Planting.plant(numbered, in: source)
    let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
    for one in result.planted {
      #expect(one.lines.contains { lines[$0 - 1].contains("_mutated(\(one.number))") })
    }
    #expect(result.planted.map(\.around) == [[1, 8], [1, 8], [9, 11]])
  }
}
