extension Porter.File {
  /// The changed lines in the form of `diff -u0`, with the file's name before and after; edits keep the number of lines.
  package var difference: String {
    guard isChanged else { return "" }
    let old = before.split(separator: "\n", omittingEmptySubsequences: false)
    let new = after.split(separator: "\n", omittingEmptySubsequences: false)
    var text = "--- \(path)\n+++ \(path)\n"
    var line = 0
    while line < old.count {
      guard old[line] != new[line] else {
        line += 1
        continue
      }
      let start = line
      while line < old.count, old[line] != new[line] { line += 1 }
      let range = line - start == 1 ? "\(start + 1)" : "\(start + 1),\(line - start)"
      text += "@@ -\(range) +\(range) @@\n"
      text += old[start..<line].map { "-\($0)\n" }.joined()
      text += new[start..<line].map { "+\($0)\n" }.joined()
    }
    return text
  }
}
