/// Words that no text of the package may contain.
enum TextRule {
  // Put together here, so that this file does not contain them either.
  static let unfinished = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
  static let foreign = ["../" + "shared", "/" + "work/", "/" + "farm/"]

  static func findings(in file: SourceFile) -> [Finding] {
    file.lines.enumerated().compactMap { index, line in
      if let word = unfinished.first(where: { line.split { !$0.isLetter }.map(String.init).contains($0) }) {
        return Finding(path: file.path, line: index + 1, what: "\(word): finish it or leave it out")
      }
      if let path = foreign.first(where: line.contains) {
        return Finding(path: file.path, line: index + 1, what: "\(path) exists on one machine only")
      }
      return nil
    }
  }
}
