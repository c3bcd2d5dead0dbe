/// Compares the acknowledged saves of chains with their store after their process was killed.
///
/// Every save that was acknowledged is there, and the store is as after one save that was begun: nothing of a later one,
/// and nothing half.
package struct ChainAudit: Sendable {
  /// The violations, in the order of the clients.
  package private(set) var violations: [Violation] = []
  /// The save after which each client's part of the store is, by client.
  package private(set) var found: [Int64: Int64] = [:]

  package init(_ chains: [SaveChain], _ contents: ChainContents) {
    precondition(Set(chains.map(\.client)).count == chains.count, "a client has one chain of saves")
    var strays = contents.strays
    for chain in chains {
      let mine = contents.notes.filter { $0.key / SaveChain.numbersPerClient == chain.client }
      let last = mine[chain.marker]?.revision ?? 0
      found[chain.client] = last
      checkProgress(chain, last)
      if let torn = Self.firstDifference(chain, last, mine) {
        add(
          .tornRead, chain, expected: "all of save \(last), which the marker says was the last one, and nothing else",
          seen: torn)
      }
    }
    strays += contents.notes.keys.count { number in
      !chains.contains { $0.client == number / SaveChain.numbersPerClient }
    }
    if strays > 0 {
      violations.append(
        Violation(
          kind: .tornRead, subject: "store", expected: "every row belongs to a save",
          seen: "\(strays) rows do not", count: strays))
    }
  }

  private mutating func checkProgress(_ chain: SaveChain, _ last: Int64) {
    if last < chain.acknowledged {
      add(
        .durabilityLost, chain, expected: "save \(chain.acknowledged), which was acknowledged",
        seen: "the store is as after save \(last)", count: Int(chain.acknowledged - last))
    } else if last > max(chain.begun, chain.acknowledged) {
      add(
        .storeCorruption, chain, expected: "no save after \(chain.begun), the last that was begun",
        seen: "the marker says save \(last)")
    }
  }

  private mutating func add(
    _ kind: ViolationKind, _ chain: SaveChain, expected: String, seen: String, count: Int = 1
  ) {
    violations.append(
      Violation(kind: kind, subject: "client \(chain.client)", expected: expected, seen: seen, count: count))
  }

  /// The first thing that is not as after save `last`.
  private static func firstDifference(
    _ chain: SaveChain, _ last: Int64, _ notes: [Int64: ChainContents.Note]
  ) -> String? {
    guard let kept = SaveChain.kept(after: last) else {
      return notes.isEmpty ? nil : "\(notes.count) notes without a marker"
    }
    guard notes[chain.marker]?.title == SaveChain.title(of: last) else {
      return "the marker's revision is \(last), its title \(notes[chain.marker]?.title ?? "missing")"
    }
    for save in kept {
      guard let note = notes[chain.note(of: save)] else { return "the note of save \(save) is missing" }
      if note.title != SaveChain.title(of: save) { return "the note of save \(save) has the title \(note.title)" }
      if note.words != Array(chain.words(of: save)) {
        return "the note of save \(save) has \(note.words.count) of its \(SaveChain.wordsPerNote) words"
      }
    }
    let expected = Int(kept.count) + 1
    return notes.count == expected ? nil : "\(notes.count - expected) notes that save \(last) had deleted"
  }
}
