import Checking
import CoreData
import Scheduling

// Compares the contents of contexts and of the file with the expected ones.

extension AnythingClient {
  func look(_ actor: AnythingStep.Actor, _ look: AnythingStep.Look) throws {
    switch look {
    case .everything:
      try requireHeard(actor)
      try participant(actor).context.performAndWait { try checkAll(participant(actor)) }
    case .one:
      try requireHeard(actor)
      let participant = participant(actor)
      guard let name = edits.pick(participant.view.nodes.keys.sorted()) else { return }
      try participant.context.performAndWait { try check(participant, [name]) }
    case .lists:
      try requireHeard(actor)
      try participant(actor).context.performAndWait { try checkLists(participant(actor)) }
    case .main:
      if session.faults.mayBeLate { return }
      waitForHistory()
      let main = session.strategy.mainContext
      try main.performAndWait { try check(file, main, "main") }
    case .fresh:
      let fresh = session.container.newBackgroundContext()
      session.environment.adopt(fresh, name: "fresh \(island)")
      fresh.stalenessInterval = 0
      try fresh.performAndWait {
        try checkExistence(fresh)
        try check(file, fresh, "a new context")
      }
    case .state:
      guard let state = stateReader.state else { return }
      try stateReader.context.performAndWait {
        stateReader.context.refreshAllObjects()
        try check(state, stateReader.context, stateReader.name)
      }
    }
  }

  /// Gives the state reader the current state of the file, and checks that it shows it.
  func renewState(merging: Bool) throws {
    if merging {
      stateReader.merge([NSUpdatedObjectsKey: rows.ids(of: Set(file.nodes.keys))], file)
    } else {
      try stateReader.choose(file)
    }
    try look(.own, .state)
  }

  /// Waits for main where it follows the history of its store: it has a save only once it has read that far.
  private func waitForHistory() {
    guard type(of: session.strategy).followsHistory(session.settings) else { return }
    let isCurrent = Latch(label: "main has read the history")
    session.strategy.whenMainIsCurrent { isCurrent.open() }
    isCurrent.wait()
  }

  // MARK: Contexts

  /// Checks everything that a context fetches of the island; in a block of the context.
  func checkAll(_ participant: Participant) throws {
    participant.context.processPendingChanges()
    let seen = try participant.picture.graph()
    participant.settleContested(seen)
    try compare(
      participant.view, seen, participant.hasChanges ? .change : .context,
      participant.name)
  }

  /// Checks some objects of a context, as it has them; in a block of the context.
  func check(_ participant: Participant, _ names: Set<Int>) throws {
    var (expected, seen) = (ObjectGraph(model), ObjectGraph(model))
    for name in names.sorted() where participant.view.nodes[name] != nil {
      expected.nodes[name] = participant.view.nodes[name]
      seen.nodes[name] = try participant.find(name, participant.view).map(participant.picture.node)
    }
    session.count(\.valuesCompared, expected.nodes.count)
    let differences = expected.differences(to: seen, ignoring: participant.contested)
    try report(differences, .change, expected, seen, participant.name)
  }

  /// Checks a context without changes of the island.
  private func check(_ expected: ObjectGraph, _ context: NSManagedObjectContext, _ name: String) throws {
    try compare(expected, try ContextPicture(model: model, island: island, context: context).graph(), .context, name)
  }

  private func compare(_ expected: ObjectGraph, _ seen: ObjectGraph, _ place: AnythingFinding.Place, _ name: String)
    throws
  {
    session.count(\.valuesCompared, max(1, expected.nodes.count))
    session.countCheckedInverses(seen.nodes.count)
    try report(expected.differences(to: seen), place, expected, seen, name)
    if let pair = seen.asymmetries.first {
      try report(
        .asymmetricInverse, "\(pair.relationship) of \(pair.name) in \(name)", expected: "\(pair.other) leads back",
        seen: "it does not")
    }
  }

  private func report(
    _ differences: [ObjectGraph.Difference], _ place: AnythingFinding.Place, _ expected: ObjectGraph,
    _ seen: ObjectGraph, _ name: String
  ) throws {
    guard let first = differences.first else { return }
    let kind = AnythingFinding.kind(first, place, expected, seen, past: past)
    let entity = expected.nodes[first.name]?.entity ?? seen.nodes[first.name]?.entity ?? "object"
    try report(
      kind, "\(first.what.text) of \(entity) \(first.name) in \(name)", expected: first.expected,
      seen: "\(first.seen); \(differences.count) differences")
  }

  // MARK: Lists of a context

  /// Checks the lists of changes, and the objects' own changes; in a block of the context.
  private func checkLists(_ participant: Participant) throws {
    let context = participant.context
    context.processPendingChanges()
    func names(_ objects: Set<NSManagedObject>) -> Set<Int> { Set(objects.map(ContextPicture.name)) }
    func check(_ what: String, _ seen: Set<Int>, _ expected: Set<Int>) throws {
      guard seen != expected else { return }
      try report(
        .wrongValue, "\(what) of \(participant.name)", expected: "\(expected.sorted())", seen: "\(seen.sorted())")
    }
    try check("insertedObjects", names(context.insertedObjects), participant.inserted)
    try check("deletedObjects", names(context.deletedObjects.filter(\.hasChanges)), participant.deleted)
    let updated = context.updatedObjects
    try check(
      "changed objects missing in updatedObjects",
      participant.changed.subtracting(names(updated)).subtracting(participant.disputed), [])
    if participant.hasChanges, !context.hasChanges {
      try report(.wrongValue, "hasChanges of \(participant.name)", expected: "true", seen: "false")
    }
    for object in updated { try checkChange(of: object, participant) }
    for name in participant.view.nodes.keys.sorted() {
      guard let object = try participant.find(name, participant.view) else { continue }
      try checkFlags(of: object, named: name, participant)
    }
    var ids: Set<NSManagedObjectID> = []
    // An object that a merge has deleted is there too, beside an object that came back under its ID.
    let living = context.registeredObjects.filter { $0.hasChanges || !$0.isDeleted }
    for object in living where !ids.insert(object.objectID).inserted {
      try report(
        .duplicateRecord, "registeredObjects of \(participant.name)", expected: "one object for each ID",
        seen: "two for \(object.objectID)")
    }
    session.count(\.valuesCompared, updated.count + 1)
  }

  private func checkChange(of object: NSManagedObject, _ participant: Participant) throws {
    let name = ContextPicture.name(of: object)
    guard let now = participant.view.nodes[name], let before = participant.base.nodes[name] else { return }
    let entity = model.entity(now.entity)
    let keys = Set(entity.attributes.filter { now.values[$0] != before.values[$0] })
    let seen = Set(object.changedValues().keys).intersection(entity.attributes)
    if seen != keys {
      try report(
        .wrongValue, "changedValues of \(now.entity) \(name) in \(participant.name)", expected: "\(keys.sorted())",
        seen: "\(seen.sorted())")
    }
    let committed = object.committedValues(forKeys: entity.attributes)
    for attribute in entity.attributes {
      guard let type = model.attributes[attribute]?.type else { continue }
      let seen = DrawnValue.text(committed[attribute], type)
      if seen != before.values[attribute] {
        try report(
          .wrongValue, "the committed \(attribute) of \(now.entity) \(name) in \(participant.name)",
          expected: ObjectGraph.text(before.values[attribute]), seen: ObjectGraph.text(seen))
      }
    }
  }

  // MARK: The file

  /// Checks that the file is as the acknowledged saves left it, and nothing else changed.
  func checkFile() throws {
    let picture = try FilePicture(reader)
    let seen = picture.graph(of: island)
    session.count(\.valuesCompared, max(1, file.nodes.count))
    let differences = file.differences(to: seen) { FilePicture.shows($0, model) }
    try report(differences, .file, file, seen, "the file")
    try checkWhole(picture)
    adoptVersions(picture)
    try checkIdentified()
  }

  /// Checks that hold for a file of any writer.
  func checkWhole(_ picture: FilePicture) throws {
    let seen = picture.graph(of: island)
    if let first = picture.dangling.first(where: { DrawnEdits.island(of: $0.name) == island }) {
      try report(.danglingReference, "the file", expected: "every key leads to a row", seen: first.text)
    }
    if let name = picture.repeated.min() {
      try report(.duplicateRecord, "object \(name) in the file", expected: "one row", seen: "several rows")
    }
    if let pair = seen.asymmetries.first {
      try report(
        .asymmetricInverse, "\(pair.relationship) of \(pair.name) in the file", expected: "\(pair.other) leads back",
        seen: "it does not")
    }
    for (name, node) in seen.nodes {
      for count in model.counts(of: node.entity) {
        let stored = picture.counts[ObjectGraph.Side(name: name, relationship: count.name)] ?? 0
        guard stored != seen.count(count, of: name) else { continue }
        try report(
          .wrongValue, "\(count.name) of \(node.entity) \(name) in the file",
          expected: "\(seen.count(count, of: name))", seen: "\(stored)")
      }
    }
  }
}

extension ObjectGraph.Difference.What {
  /// The difference in words.
  var text: String {
    switch self {
    case .isMissing, .isThere: "the presence"
    case .entity: "the entity"
    case .value(let attribute): attribute
    case .relationship(let relationship): relationship
    case .order(let relationship): "the order of \(relationship)"
    }
  }
}
