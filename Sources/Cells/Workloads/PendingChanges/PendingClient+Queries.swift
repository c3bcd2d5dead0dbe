import CoreData

extension PendingClient {
  /// Fetches in many forms, while words are inserted, changed, moved and deleted here: each is compared with the rows that
  /// the client knows.
  func query(_ page: PendingPage) throws {
    let ids = own.performAndWait { page.first.words.union(page.second.words).map(\.objectID) }
    let terms = ["alpha", "Alpine", "beta", "betray", "", "gamma"]
    try saveBeside { context in
      let words = try ids.map { try PendingPage.word($0, in: context) }.sorted { $0.number < $1.number }
      for (place, word) in words.enumerated() {
        word.term = terms[place % terms.count]
        word.meaning = "meaning \(place / 2)"
        word.level = Int16(place % 4)
      }
    }
    try own.performAndWait {
      own.refreshAllObjects()
      let members = page.first.words.union(page.second.words).compactMap { $0 as? Word }
      var words = members.sorted { $0.number < $1.number }
      guard words.count > 4 else {
        throw UnexpectedAnswer(subject: "words of two notes", expected: "5 or more", seen: "\(words.count)")
      }
      let stored = words.map(QueriedWord.init)
      words[0].term = "alphabet"
      words[1].level = 9
      words[2].note = nil
      words[3].note = words[3].note == page.first ? page.second : page.first
      page.second.title = "a pending title"
      own.delete(words[4])
      words.remove(at: 4)
      let added = addWord(to: page.second, in: own)
      (added.term, added.meaning, added.level) = ("alp", "", 3)
      words.append(added)
      // A to-many loses deleted members.
      own.processPendingChanges()
      let pending = words.map(QueriedWord.init)
      let numbers = Set(stored.map(\.number) + pending.map(\.number))
      for query in WordQuery.all(numbers, page) {
        try compare(query, includesPending: true, with: pending)
        try compare(query, includesPending: false, with: stored)
      }
      try compareNotes(page, pending)
      try compareGroups(numbers, stored)
      own.rollback()
    }
  }

  // MARK: Words

  private func compare(_ query: WordQuery, includesPending: Bool, with words: [QueriedWord]) throws {
    let what = "\(query.format) \(includesPending ? "with" : "without") pending changes"
    let matches = words.filter(query.matches)
    for order in WordOrder.all {
      let expected = matches.sorted(by: order.precedes).map(\.number)
      func request() -> NSFetchRequest<Word> {
        let request = NSFetchRequest<Word>(entityName: "Word")
        request.predicate = query.predicate
        request.sortDescriptors = order.descriptors
        request.includesPendingChanges = includesPending
        return request
      }
      compare(try own.fetch(request()).map(\.number), with: expected, "words where \(what), by \(order.name)")
      compare(try own.count(for: request()), with: expected.count, "count where \(what)")
      let page = request()
      (page.fetchOffset, page.fetchLimit) = (1, 2)
      compare(
        try own.fetch(page).map(\.number), with: Array(expected.dropFirst().prefix(2)),
        "the second and third word where \(what), by \(order.name)")
      let batched = request()
      batched.fetchBatchSize = 2
      compare(
        try own.fetch(batched).map(\.number), with: expected, "words in batches where \(what), by \(order.name)")
    }
  }

  // MARK: Notes

  /// Asks for notes by their words.
  private func compareNotes(_ page: PendingPage, _ words: [QueriedWord]) throws {
    let notes = [page.first.number, page.second.number].sorted()
    func compare(_ format: String, _ arguments: [Any], _ matches: ([QueriedWord]) -> Bool) throws {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "number IN %@ AND \(format)", argumentArray: [notes] + arguments)
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let expected = notes.filter { note in matches(words.filter { $0.note == note }) }
      self.compare(try own.fetch(request).map(\.number), with: expected, "notes where \(format) with pending changes")
    }
    try compare("ANY words.term BEGINSWITH %@", ["alphab"]) { $0.contains { $0.term.hasPrefix("alphab") } }
    try compare("ANY words.level == %@", [9]) { $0.contains { $0.level == 9 } }
    try compare("words.@count > %@", [3]) { $0.count > 3 }
    try compare("words.@max.level >= %@", [9]) { ($0.map(\.level).max() ?? 0) >= 9 }
    try compare("SUBQUERY(words, $w, $w.meaning != %@ AND $w.level < 4).@count >= %@", ["", 2]) {
      $0.count { $0.meaning != "" && $0.level < 4 } >= 2
    }
  }

  // MARK: Groups

  /// Counts by level, of the store: dictionaries never see pending changes.
  private func compareGroups(_ numbers: Set<Int64>, _ words: [QueriedWord]) throws {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Word")
    request.resultType = .dictionaryResultType
    request.includesPendingChanges = false
    request.predicate = NSPredicate(format: "number IN %@", Array(numbers))
    let count = NSExpressionDescription()
    count.name = "words"
    count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "number")])
    count.expressionResultType = .integer64AttributeType
    request.propertiesToGroupBy = ["level"]
    request.propertiesToFetch = ["level", count]
    request.sortDescriptors = [NSSortDescriptor(key: "level", ascending: true)]
    let rows = try own.fetch(request) as? [[String: Any]]
    let seen = (rows ?? []).map { [$0["level"] as? Int ?? -1, $0["words"] as? Int ?? -1] }
    let expected = Dictionary(grouping: words, by: \.level).map { [Int($0), $1.count] }.sorted { $0[0] < $1[0] }
    compare(seen, with: expected, "words by level, as the store has them")
  }
}

/// A word, as fetches ask for it.
private struct QueriedWord {
  let number: Int64
  let term: String
  let meaning: String
  let level: Int16
  let note: Int64?
  let title: String?

  init(_ word: Word) {
    (number, term, meaning, level) = (word.number, word.term ?? "", word.meaning ?? "", word.level)
    (note, title) = (word.note?.number, word.note?.title)
  }
}

/// A condition as a fetch has it, and as a filter.
private struct WordQuery {
  let format: String
  let predicate: NSPredicate
  let matches: (QueriedWord) -> Bool

  /// Every one is about words with these numbers only.
  static func all(_ numbers: Set<Int64>, _ page: PendingPage) -> [WordQuery] {
    func query(_ format: String, _ arguments: [Any], _ matches: @escaping (QueriedWord) -> Bool) -> WordQuery {
      // More values than a short list, some of which no row has.
      let own = Array(numbers) + (1...40).map { -Int64($0) }
      return WordQuery(
        format: format,
        predicate: NSPredicate(format: "number IN %@ AND (\(format))", argumentArray: [own] + arguments),
        matches: { numbers.contains($0.number) && matches($0) })
    }
    let first = page.first.number
    return [
      query("term BEGINSWITH %@", ["alp"]) { $0.term.hasPrefix("alp") },
      query("term BEGINSWITH[c] %@", ["ALP"]) { $0.term.lowercased().hasPrefix("alp") },
      query("term CONTAINS %@ OR term ENDSWITH %@", ["etr", "ma"]) {
        $0.term.contains("etr") || $0.term.hasSuffix("ma")
      },
      query("term LIKE %@", ["?l*a*"]) { ["alpha", "alphabet"].contains($0.term) },
      query("note == nil OR term == %@", [""]) { $0.note == nil || $0.term == "" },
      query("note != nil AND level > %@", [0]) { $0.note != nil && $0.level > 0 },
      query("meaning IN %@", [["meaning 0", "meaning 2"]]) { ["meaning 0", "meaning 2"].contains($0.meaning) },
      query("level BETWEEN %@ AND NOT (term == %@)", [[1, 3], "beta"]) { 1...3 ~= $0.level && $0.term != "beta" },
      query("level >= 3 OR term > %@", ["betb"]) { $0.level >= 3 || $0.term > "betb" },
      query("note.number == %@", [first]) { $0.note == first },
      query("note.title == %@", ["a pending title"]) { $0.title == "a pending title" },
      query("note == %@ AND level < %@", [page.second, 9]) { $0.note == page.second.number && $0.level < 9 },
    ]
  }
}

/// An order as a fetch has it, and as a comparison; no two words are equal in it.
private struct WordOrder {
  let name: String
  let descriptors: [NSSortDescriptor]
  let precedes: (QueriedWord, QueriedWord) -> Bool

  static var all: [WordOrder] {
    [
      WordOrder(name: "number", descriptors: [NSSortDescriptor(key: "number", ascending: false)]) {
        $0.number > $1.number
      },
      WordOrder(
        name: "term",
        descriptors: [NSSortDescriptor(key: "term", ascending: true), NSSortDescriptor(key: "number", ascending: true)]
      ) { left, right in
        left.term == right.term ? left.number < right.number : left.term.utf8.lexicographicallyPrecedes(right.term.utf8)
      },
    ]
  }
}
