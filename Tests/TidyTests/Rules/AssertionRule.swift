/// A function states what it assumes and the compiler does not know: that arrays are as long as each other, that input is
/// sorted, that something was begun.
///
/// A line that traps anyway needs no statement, so there is no right number for a file. Taken together the sources shall not
/// state less than they did: new code that assumes something says so.
enum AssertionRule {
  /// Lines of code, comments and blanks for each statement: the number reached, and a few more for code that assumes nothing, as
  /// the trials of the contract, which judge what they meet.
  static let linesMax = 160

  private static let statements = ["precondition", "preconditionFailure"]

  /// How many assumptions a file states.
  static func count(in file: SourceFile) -> Int {
    file.code.reduce(0) { count, line in
      // The package's own function of that name is no statement.
      line.contains("func precondition") ? count : count + line.words.count { statements.contains(String($0)) }
    }
  }

  static func findings(in files: [SourceFile], linesMax: Int = linesMax) -> [Finding] {
    let sources = files.filter { $0.isSwift && $0.target != nil }
    let lines = sources.reduce(0) { $0 + $1.lines.count - 1 }
    let stated = sources.reduce(0) { $0 + count(in: $1) }
    guard lines > linesMax * stated else { return [] }
    let what = "\(lines) lines with \(stated) preconditions, fewer than one in \(linesMax): state what new code assumes"
    return [Finding(path: "Sources", line: 1, what: what)]
  }
}
