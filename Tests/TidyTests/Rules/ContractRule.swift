/// The contract, the tests and the list of deviations belong together: a name in one is in the others.
enum ContractRule {
  static let deviations = "DEVIATIONS.md"

  /// Rules that no test cites yet, with the reason.
  static let untested: [String: String] = [:]

  /// Problems within the articles: numbers that are out of order or given twice, and rules without a basis.
  static func findings(in contract: Contract) -> [Finding] {
    var expected: [Int: Int] = [:]
    return contract.rules.flatMap { rule in
      let (section, number) = rule.position
      let next = expected[section, default: 1]
      expected[section] = max(next, number + 1)
      var problems: [String] = []
      if number != next { problems.append("\(rule.number) is out of order: S\(section).\(next) is next") }
      if !rule.hasBasis { problems.append("\(rule.number) has no paragraph that begins with \"\(Contract.basis)\"") }
      return problems.map { Finding(path: rule.path, line: rule.line, what: $0) }
    }
  }

  /// Citations in `file` of rules that the contract does not have.
  static func unknownRules(in file: SourceFile, _ contract: Contract) -> [Finding] {
    RuleCitation.all(in: file).filter { !contract.numbers.contains($0.number) }.map {
      Finding(path: $0.path, line: $0.line, what: "\($0.number) is no rule of \(Contract.folder)")
    }
  }

  /// Rules that no test cites, and rules of `untested` that are cited, or are none.
  static func untestedRules(of contract: Contract, tests: [SourceFile], untested: Set<String>) -> [Finding] {
    let cited = Set(tests.flatMap(RuleCitation.all).map(\.number))
    let findings = contract.rules.compactMap { rule -> Finding? in
      switch (cited.contains(rule.number), untested.contains(rule.number)) {
      case (false, false):
        Finding(path: rule.path, line: rule.line, what: "no test cites \(rule.number): write one, or cite it in one")
      case (true, true):
        Finding(
          path: rule.path, line: rule.line, what: "\(rule.number) has a test: take it off the list of untested rules")
      default: nil
      }
    }
    let gone = untested.subtracting(contract.numbers).sorted()
    return findings
      + gone.map {
        Finding(path: Contract.folder, line: 1, what: "\($0) is untested and no rule: take it off the list")
      }
  }

  /// Tests that `file` names and that do not exist.
  static func unknownTests(in file: SourceFile, _ names: TestNames) -> [Finding] {
    file.lines.enumerated().flatMap { index, line in
      names.unknown(in: line).map { Finding(path: file.path, line: index + 1, what: "there is no test \($0)") }
    }
  }

  /// Entries of the list of deviations that name no rule.
  static func deviationsWithoutRule(in file: SourceFile) -> [Finding] {
    let headings = file.lines.indices.filter { file.lines[$0].hasPrefix("## ") } + [file.lines.count]
    return zip(headings, headings.dropFirst()).compactMap { start, end in
      let citesRule = file.lines[start..<end].contains { !RuleCitation.numbers(in: $0).isEmpty }
      return citesRule ? nil : Finding(path: file.path, line: start + 1, what: "name the rules that this deviates from")
    }
  }
}
