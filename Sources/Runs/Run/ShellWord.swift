/// Words of a command line.
package enum ShellWord {
  /// A command line that a shell reads as these words.
  package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./=,:+".contains($0)) }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
