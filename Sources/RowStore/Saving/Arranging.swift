extension ContiguousArray where Element: Hashable {
  /// The elements in the order of `wanted`: one that is not wanted stays behind the one it is behind now, and those at
  /// the end stay there.
  ///
  /// Complexity: O(*n*).
  package func arranged(like wanted: some Sequence<Element>) -> ContiguousArray<Element> {
    let present = Set(self)
    let wanted = wanted.filter(present.contains)
    let known = Set(wanted)
    guard let end = lastIndex(where: known.contains) else { return self }
    var head: [Element] = []
    var followers: [Element: [Element]] = [:]
    var leader: Element?
    for element in self[...end] {
      if known.contains(element) {
        leader = element
      } else if let leader {
        followers[leader, default: []].append(element)
      } else {
        head.append(element)
      }
    }
    var result = ContiguousArray<Element>(head)
    result.reserveCapacity(count)
    for element in wanted {
      result.append(element)
      if let followers = followers[element] { result.append(contentsOf: followers) }
    }
    result.append(contentsOf: self[(end + 1)...])
    precondition(result.count == count, "what is arranged has each of its elements once")
    return result
  }
}
