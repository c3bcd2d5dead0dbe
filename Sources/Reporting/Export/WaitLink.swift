/// One link of a cycle of waits in a violation.
struct WaitLink: Sendable, Hashable {
  /// The queue that waits, or enters another one.
  let queue: String
  /// The whole sentence.
  let text: String

  /// The links of `deadlock: A waits for B; B waits for A`, or of
  /// `X is entered inside Y on A; at frame < frame; Y is entered inside X on B`.
  static func links(in seen: String) -> [WaitLink] {
    var sentences: [String] = []
    let text = seen.hasPrefix("deadlock: ") ? seen.dropFirst(10) : seen[...]
    for part in text.split(separator: "; ") {
      if part.hasPrefix("at "), let last = sentences.popLast() {
        sentences.append("\(last); \(part)")
      } else {
        sentences.append(String(part))
      }
    }
    return sentences.map { sentence in
      let head = sentence.split(separator: "; ").first.map(String.init) ?? sentence
      if let range = head.firstRange(of: " waits for ") {
        return WaitLink(queue: String(head[..<range.lowerBound]), text: sentence)
      }
      guard head.contains(" is entered inside "), let range = head.ranges(of: " on ").last else {
        return WaitLink(queue: head, text: sentence)
      }
      return WaitLink(queue: String(head[range.upperBound...]), text: sentence)
    }
  }
}
