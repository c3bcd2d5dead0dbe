import CoreData
import Scheduling

extension AnythingClient {
  /// One question in a context: a condition on an entity's objects, with the objects in the context and in the file.
  private struct Question {
    let picture: ContextPicture
    let name: String
    let entity: String
    let query: DrawnQuery
    let predicate: NSPredicate
    /// The objects in the context.
    let view: ObjectGraph
    /// The objects in the file.
    let file: ObjectGraph

    func expected(_ graph: ObjectGraph) -> [Int] {
      graph.names(of: entity).filter { query.holds(for: $0, in: graph) }
    }

    func request<Result: NSFetchRequestResult>(_: Result.Type = NSManagedObject.self) -> NSFetchRequest<Result> {
      let request = NSFetchRequest<Result>(entityName: entity)
      request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "\(DrawnModel.island) == %ld", picture.island), predicate,
      ])
      return request
    }
  }

  /// Asks a question drawn from a seed, in several ways.
  func ask(_ actor: AnythingStep.Actor, _ seed: UInt64) throws {
    try requireHeard(actor)
    var random = SeededRandom(seed: seed)
    let participant = participant(actor)
    let question = try participant.context.performAndWait {
      participant.context.processPendingChanges()
      participant.settleContested(participant.contested.isEmpty ? participant.view : try participant.picture.graph())
      return try ask(participant.picture, participant.name, participant.view, &random)
    }
    if Bool.random(using: &random) {
      let seen = try askLater(participant.context, question.request()) { $0.map(ContextPicture.name) }
      try compare(seen.sorted(), question.expected(participant.view), "an asynchronous fetch", question)
    }
    guard !session.faults.mayBeLate, Int.random(in: 0..<3, using: &random) == 0 else { return }
    let main = session.strategy.mainContext
    try main.performAndWait {
      _ = try ask(ContextPicture(model: model, island: island, context: main), "main", file, &random)
    }
  }

  /// In a block of the context.
  private func ask(
    _ picture: ContextPicture, _ name: String, _ view: ObjectGraph, _ random: inout SeededRandom
  ) throws -> Question {
    let entity = model.entityNames.randomElement(using: &random) ?? DrawnModel.place
    let query = DrawnQuery.drawn(entity, view, &random)
    let predicate = try query.predicate(model) { target in
      try view.nodes[target].flatMap { try picture.object(target, $0.entity) }
    }
    let question = Question(
      picture: picture, name: name, entity: entity, query: query, predicate: predicate, view: view, file: file)
    try askForObjects(question, &random)
    try askInOrder(question, &random)
    try askTheFile(question)
    return question
  }

  private func compare<Value: Equatable>(_ seen: Value, _ expected: Value, _ what: String, _ question: Question) throws
  {
    session.count(\.valuesCompared)
    guard seen != expected else { return }
    try report(
      .wrongValue, "\(what) of \(question.entity) where \(question.query) in \(question.name)",
      expected: "\(expected)", seen: "\(seen)")
  }

  private func names(_ objects: [NSManagedObject]) -> [Int] { objects.map(ContextPicture.name) }

  /// Asks for the objects, their number and their IDs, by fetches and by looking at every object.
  private func askForObjects(_ question: Question, _ random: inout SeededRandom) throws {
    let context = question.picture.context
    let expected = question.expected(question.view)
    let request = question.request()
    request.returnsObjectsAsFaults = Bool.random(using: &random)
    if Bool.random(using: &random) {
      request.relationshipKeyPathsForPrefetching = Array(model.entity(question.entity).relationships.prefix(2))
    }
    try compare(names(try context.fetch(request)).sorted(), expected, "a fetch", question)
    try compare(try context.count(for: question.request()), expected.count, "a count", question)
    let ids = question.request(NSManagedObjectID.self)
    ids.resultType = .managedObjectIDResultType
    let objects = try context.fetch(ids).map { context.object(with: $0) }
    try compare(names(objects).sorted(), expected, "a fetch of IDs", question)
    for object in objects {
      try checkIdentity(of: object, named: ContextPicture.name(of: object), in: context, question.name)
    }
    let all = try question.picture.fetch(question.entity)
    try compare(
      names(all.filter { question.predicate.evaluate(with: $0) }).sorted(), expected, "a look at every object", question
    )
    let alone = question.request()
    alone.includesSubentities = false
    try compare(
      names(try context.fetch(alone)).sorted(),
      expected.filter { question.view.nodes[$0]?.entity == question.entity }, "a fetch without sub-entities", question)
    try compare(
      try context.count(for: alone), expected.count { question.view.nodes[$0]?.entity == question.entity },
      "a count without sub-entities", question)
    let opposite = question.request()
    opposite.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "\(DrawnModel.island) == %ld", island),
      NSCompoundPredicate(notPredicateWithSubpredicate: question.predicate),
    ])
    try compare(
      names(try context.fetch(opposite)).sorted(),
      question.view.names(of: question.entity).filter { !expected.contains($0) },
      "a fetch of all others", question)
  }

  /// Asks the same in an order, in pages and in batches.
  private func askInOrder(_ question: Question, _ random: inout SeededRandom) throws {
    let context = question.picture.context
    let texts = model.entity(question.entity).attributes.filter { $0.hasSuffix("Text") || $0.hasSuffix("Size") }
    guard let key = texts.randomElement(using: &random) else { return }
    let isAscending = Bool.random(using: &random)
    let expected = question.expected(question.view).sorted { left, right in
      let order = Self.order(question.view.nodes[left]?.values[key], question.view.nodes[right]?.values[key], key)
      return order == 0 ? left < right : isAscending ? order < 0 : order > 0
    }
    func sorted() -> NSFetchRequest<NSManagedObject> {
      let request = question.request()
      request.sortDescriptors = [
        NSSortDescriptor(key: key, ascending: isAscending), NSSortDescriptor(key: DrawnModel.number, ascending: true),
      ]
      return request
    }
    let what = "by \(key)\(isAscending ? "" : " descending")"
    try compare(names(try context.fetch(sorted())), expected, "a fetch \(what)", question)
    let page = sorted()
    (page.fetchOffset, page.fetchLimit) = (Int.random(in: 0..<3, using: &random), Int.random(in: 1..<4, using: &random))
    let part = Array(expected.dropFirst(page.fetchOffset).prefix(page.fetchLimit))
    try compare(names(try context.fetch(page)), part, "a page \(what)", question)
    try compare(try context.count(for: page), part.count, "a count of a page", question)
    let batched = sorted()
    batched.fetchBatchSize = Int.random(in: 1..<4, using: &random)
    try compare(names(try context.fetch(batched)), expected, "batches \(what)", question)
  }

  /// Negative, zero or positive as values are in order: nulls first, texts by code points.
  private static func order(_ left: String?, _ right: String?, _ key: String) -> Int {
    guard let left, let right else { return (left == nil ? 0 : 1) - (right == nil ? 0 : 1) }
    if key.hasSuffix("Size"), let one = Int(left), let other = Int(right) {
      return one < other ? -1 : one > other ? 1 : 0
    }
    if left == right { return 0 }
    return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars) ? -1 : 1
  }

  /// Asks of the file alone: dictionaries, and fetches without unsaved changes.
  private func askTheFile(_ question: Question) throws {
    let context = question.picture.context
    let expected = question.expected(question.file)
    let stored = question.request()
    stored.includesPendingChanges = false
    // For a child there is no object that its parent has deleted.
    let counted = context === child.context ? expected.filter { own.view.nodes[$0] != nil } : expected
    try compare(try context.count(for: stored), counted.count, "a count without unsaved changes", question)
    let rows = question.request(NSDictionary.self)
    rows.resultType = .dictionaryResultType
    rows.propertiesToFetch = [DrawnModel.number]
    let numbers = try context.fetch(rows).compactMap { ($0[DrawnModel.number] as? NSNumber)?.intValue }
    try compare(numbers.sorted(), expected, "a fetch of dictionaries", question)
    guard let size = model.entity(question.entity).attributes.first(where: { $0.hasSuffix("Size") }) else { return }
    let sizes = expected.compactMap { question.file.nodes[$0]?.values[size].flatMap { Int($0) } }
    for (function, value) in [
      ("sum:", sizes.reduce(0, +)), ("max:", sizes.max()), ("min:", sizes.min()), ("count:", sizes.count),
    ] {
      guard let value else { continue }
      let aggregate = question.request(NSDictionary.self)
      aggregate.resultType = .dictionaryResultType
      let description = NSExpressionDescription()
      description.name = "result"
      description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: size)])
      description.expressionResultType = .integer64AttributeType
      aggregate.propertiesToFetch = [description]
      let seen = (try context.fetch(aggregate).first?["result"] as? NSNumber)?.intValue
      if sizes.isEmpty, seen == nil { continue }
      try compare(seen, value, "\(function)(\(size))", question)
    }
  }
}
