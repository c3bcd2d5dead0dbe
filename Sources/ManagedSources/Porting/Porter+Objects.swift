extension Porter {
  func isUnqualified(_ index: Int) -> Bool { index == 0 || !tokens[index - 1].isMark(".") }

  /// `NSStringFromSelector(#selector(getter: Note.title))` and `#selector(getter: Note.title).description` to `"title"`; other
  /// selectors stay, and are problems. Returns the index behind it.
  mutating func selector(at index: Int) -> Int {
    let end = index + 1 < tokens.count && tokens[index + 1].isMark("(") ? closing(from: index + 1) : index + 1
    let inside = tokens[min(index + 2, tokens.count)..<max(min(index + 2, tokens.count), end - 1)]
    let words = inside.map(\.text)
    guard words.first == "getter", words.dropFirst().first == ":",
      let name = objectiveCPath(inside.dropFirst(2).filter(\.isName).map(\.text)),
      inside.dropFirst(2).allSatisfy({ $0.isName || $0.isMark(".") })
    else {
      let isSortOrder = index >= 2 && tokens[index - 1].isMark(":") && tokens[index - 2].isWord("selector")
      problem(
        tokens[index], "#selector",
        "#selector needs Objective-C, which Linux lacks. "
          + (isSortOrder
            ? "In a sort descriptor leave it out: fetches compare texts by code points; sort the array for another order."
            : "Pass a closure, or call the method itself."))
      return index + 1
    }
    var range = tokens[index].range.lowerBound..<tokens[end - 1].range.upperBound
    if index >= 2, tokens[index - 2].text == "NSStringFromSelector", tokens[index - 1].isMark("("), end < tokens.count {
      range = tokens[index - 2].range.lowerBound..<tokens[end].range.upperBound
      edits.append(Edit(range: range, text: "\"\(name)\""))
      return end + 1
    }
    if end + 1 < tokens.count, tokens[end].isMark("."), tokens[end + 1].text == "description" {
      range = tokens[index].range.lowerBound..<tokens[end + 1].range.upperBound
      edits.append(Edit(range: range, text: "\"\(name)\""))
      return end + 2
    }
    problem(
      tokens[index], "#selector",
      "#selector needs Objective-C, which Linux lacks. Write the key \"\(name)\", or a key path.")
    return end
  }

  /// `NSBatchDeleteRequest(fetchRequest: r as! NSFetchRequest<NSFetchRequestResult>)` without the cast, which finds another class on
  /// Linux; elsewhere such a cast is a problem. Returns the index behind it, or nil where there is none.
  mutating func requestCast(at index: Int) -> Int? {
    guard tokens[index].isWord("as"), index + 4 < tokens.count,
      tokens[index + 1].isMark("!") || tokens[index + 1].isMark("?"), tokens[index + 2].text == "NSFetchRequest",
      tokens[index + 3].isMark("<"), let close = tokens[index...].firstIndex(where: { $0.isMark(">") })
    else { return nil }
    if tokens[index + 1].isMark("!"), let start = untypedRequest(before: index) {
      // The entity's name is found when the request is made, as Apple's `fetchRequest()` does.
      let range = tokens[start].range.lowerBound..<tokens[index - 4].range.lowerBound
      let type = source.text(range)
      let request = source.text(tokens[index + 2].range.lowerBound..<tokens[close].range.upperBound)
      edits.removeAll { $0.range.lowerBound >= range.lowerBound }
      edits.append(
        Edit(
          range: range.lowerBound..<tokens[close].range.upperBound,
          text: "\(request)(entityName: \(type).entity().name ?? \"\")"))
      return close + 1
    }
    let isArgument = close + 1 < tokens.count && tokens[close + 1].isMark(")")
    let before = tokens[..<index].suffix(12).map(\.text)
    if isArgument, tokens[index + 1].isMark("!"), before.contains("NSBatchDeleteRequest"),
      before.contains("fetchRequest"),
      tokens[index + 4..<close].contains(where: { $0.text == "NSFetchRequestResult" })
    {
      let start = tokens[index - 1].range.upperBound
      edits.append(Edit(range: start..<tokens[close].range.upperBound, text: ""))
    } else {
      problem(
        tokens[index], "cast of a fetch request",
        "fetch requests of different results are different classes on Linux. Make the request with the type that is wanted."
      )
    }
    return close + 1
  }

  /// Index where `T` begins in `T.fetchRequest()` that ends before `index`; nil for anything else.
  private func untypedRequest(before index: Int) -> Int? {
    guard index >= 5, tokens[index - 1].isMark(")"), tokens[index - 2].isMark("("),
      tokens[index - 3].isWord("fetchRequest"), tokens[index - 4].isMark("."), tokens[index - 5].isName
    else { return nil }
    var start = index - 5
    while start >= 2, tokens[start - 1].isMark("."), tokens[start - 2].isName { start -= 2 }
    return start > 0 && (tokens[start - 1].isMark(".") || tokens[start - 1].isMark(")")) ? nil : start
  }
}
