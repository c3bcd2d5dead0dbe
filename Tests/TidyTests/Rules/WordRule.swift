/// Words that stood for other words, and the standard ones: for everything that people read, tests aside.
enum WordRule {
  /// Each word or phrase, without regard to case, with its replacement.
  static let words = [
    "nobody": "no thread, no context, no observer", "somebody": "a thread, a context, another process",
    "anybody": "any thread, any context", "everybody": "every thread, all clients",
    "stands": "is, is listed, means", "stand for": "mean, replace", "goes on": "continues, works, runs",
    "go on": "continue, resume", "going on": "continuing", "told": "notified, reported", "told of": "notified of",
    "tells of": "reports, posts", "the same thing": "the same executable, an A/A pair",
    "lets go": "releases", "let go": "released", "broken off": "interrupted", "what is there": "the current value",
    "hand-over": "hand-off", "handover": "hand-off", "handoff": "hand-off",
  ]

  /// Texts that have such a word for a reason.
  static let exceptions = ["id-handoff", "/handoff", "handover(", "\"hand-over\"", "stand-in"]

  static func findings(in file: SourceFile) -> [Finding] {
    file.lines.enumerated().flatMap { index, line in
      var text = line.lowercased()
      for exception in exceptions { text = text.replacing(exception, with: "") }
      let padded = " " + text.map { $0.isLetter || $0 == "-" ? String($0) : " " }.joined() + " "
      return words.filter { padded.contains(" \($0.key) ") }.sorted { $0.key < $1.key }.map { word, better in
        Finding(path: file.path, line: index + 1, what: "\(word): write \(better), or what else is meant")
      }
    }
  }
}
