import Checking
import CoreData
import Scheduling

// S4.1 to S4.5, S2.4: a child's reads of its parent's unsaved state, which IDs it keeps;
// unsaved values at all levels at once, above rows that others save; and that no merge into a child waits for its parent.

extension RuleTrial {
  func trees() throws {
    let coordinator = try open()
    let root = context(coordinator)
    try root.performAndWait {
      populate(root, items: 5)
      try save(root)
    }
    try readThrough(root, coordinator)
    try keepTemporaryIDs(root)
    try mergeBesideParent(coordinator)
    try mixUnsaved(coordinator)
    try dropByReset(root)
  }

  /// A child's faults and fetches show its ancestors' unsaved changes; its save changes the parent alone.
  private func readThrough(_ root: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(root.persistentStoreCoordinator === coordinator, "the tree reads this file")
    let middle = context(in: root)
    let leaf = chance(1, of: 2) ? context(in: middle) : middle
    let file = try stored(coordinator)
    let (id, new): (NSManagedObjectID, NSManagedObjectID) = try root.performAndWait {
      let item = try all("Item", root)[0]
      item.setValue("unsaved in the root", forKey: "name")
      let gone = try all("Item", root)[1]
      note("the root changes one item, inserts one and deletes one")
      root.delete(gone)
      return (item.objectID, insert("Item", root).objectID)
    }
    let log = NoticeLog(session.environment, leaf)
    defer { log.end() }
    try leaf.performAndWait {
      let item = leaf.object(with: id)
      try require(
        item.value(forKey: "name") as? String, "unsaved in the root", .staleRead, "a child's fault of a changed object")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      let shown = try root.performAndWait { try root.fetch(request).map(RulePicture.number).sorted() }
      let seen = try leaf.fetch(request)
      try require(seen.map(RulePicture.number).sorted(), shown, .staleRead, "the items that a child fetches")
      try require(try leaf.count(for: request), shown.count, .staleRead, "how many items a child counts")
      for format in ["name == 'unsaved in the root'", "name MATCHES 'unsaved in .*'"] {
        let saved = NSFetchRequest<NSManagedObject>(entityName: "Item")
        (saved.predicate, saved.includesPendingChanges) = (NSPredicate(format: format, argumentArray: []), false)
        try require(
          try leaf.fetch(saved).count, 0, .dirtyRead, "what a child fetches without pending changes where \(format)")
      }
      try require(seen.contains { $0.objectID == new }, true, .lostRecord, "whether the root's new item is one of them")
      item.setValue(777, forKey: "rank")
      try save(leaf)
      try require(
        [leaf.hasChanges, item.hasChanges], [false, false], .failedSave, "changes of a child that has saved")
    }
    try require(log.removeAll().filter { $0.name == "did-save" }.count, 1, .missedNotification, "saves of a child")
    try middle.performAndWait {
      let item = try middle.existingObject(with: id)
      try require(
        [(item.value(forKey: "rank") as? NSNumber)?.intValue == 777, middle.hasChanges], [true, leaf !== middle],
        .lostUpdate, "whether the parent has a child's rank, and changes")
      if leaf !== middle { try save(middle) }
    }
    try require(try stored(coordinator), file, .dirtyRead, "in the file before the root's save")
    try root.performAndWait {
      let item = try root.existingObject(with: id)
      try require(
        [item.value(forKey: "name") as? String == "unsaved in the root", item.value(forKey: "rank") as? Int32 == 777],
        [true, true], .lostUpdate, "whether the root has its own name, and the child's rank")
      try save(root)
    }
    try require(
      try stored(coordinator).withoutDerived, try picture(root).withoutDerived, .unpersistedSave,
      "in the file after the root's save")
  }

  /// A child's object keeps its temporary ID when the root has saved, and notifications of the child's save carry it.
  private func keepTemporaryIDs(_ root: NSManagedObjectContext) throws {
    precondition(root.parent == nil, "only a save of the root gives permanent IDs")
    let middle = context(in: root)
    let leaf = chance(1, of: 2) ? context(in: middle) : middle
    let log = NoticeLog(session.environment, leaf)
    defer { log.end() }
    let (item, id, box) = try leaf.performAndWait {
      let (item, box) = (insert("Item", leaf), insert("Box", leaf))
      item.setValue(box, forKey: "box")
      let id = item.objectID
      try save(leaf)
      return (item, id, box)
    }
    // An ID that is obtained once the parent has the object is that of its row.
    let early = try leaf.performAndWait {
      guard chance(1, of: 3) else { return NSManagedObjectID?.none }
      note("obtain its permanent ID before its parents save")
      try leaf.obtainPermanentIDs(for: chance(1, of: 2) ? [box, item] : [item])
      return item.objectID
    }
    let saved = log.removeAll().first { $0.name == "did-save" }?.ids["inserted"] ?? []
    try require(saved.contains(id), true, .wrongNotification, "whether a child's save names a new object's ID")
    for context in [middle, root] where context !== leaf || context === root {
      try context.performAndWait {
        if context !== leaf {
          try require(
            context.registeredObject(for: id) != nil, true, .lostRecord, "a new object in \(context.name ?? "")")
        }
        try save(context)
      }
    }
    try leaf.performAndWait {
      try require(
        [item.objectID == early ?? id, id.isTemporaryID], [true, true], .wrongValue,
        "whether a child's object keeps its ID")
      try leaf.obtainPermanentIDs(for: [item, box])
      try require(
        [item, box].map(\.objectID.isTemporaryID), [false, false], .wrongValue,
        "whether IDs that were obtained are temporary")
    }
  }

  /// A parent that saves holds its queue until a child has merged: neither waits for the other.
  private func mergeBesideParent(_ coordinator: NSPersistentStoreCoordinator) throws {
    let parent = context(coordinator)
    let child = context(in: parent, merges: true)
    let object = try child.performAndWait { try all("Item", child)[0] }
    let id = child.performAndWait { object.objectID }
    let value = 3_000 + newNumber()
    let isMerged = Latch(label: "a child has merged")
    note("a parent saves, and holds its queue until its child has merged")
    let observer = session.environment.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: child) {
      _ in isMerged.open()
    }
    defer { session.environment.removeObserver(observer) }
    let (seen, hasMerged) = try parent.performAndWait {
      try parent.existingObject(with: id).setValue(value, forKey: "rank")
      try save(parent)
      let hasMerged = isMerged.wait(atMost: 20)
      return (child.performAndWait { (object.value(forKey: "rank") as? NSNumber)?.intValue }, hasMerged)
    }
    try require(hasMerged, true, .hang, "whether a child merges while its parent's queue is held")
    try require(seen, value, .staleRead, "a rank in a child, in the block in which its parent saved")
  }

  // MARK: Unsaved values at all levels

  /// Each level has unsaved values, and others save newer rows: who was refreshed shows its own values, over those of the levels
  /// above, over the file's.
  private func mixUnsaved(_ coordinator: NSPersistentStoreCoordinator) throws {
    let other = context(coordinator, .mergeByPropertyObjectTrump)
    var boxes = try other.performAndWait {
      let new = (0..<20).map { _ in insert("Box", other) }
      try save(other)
      return new.map(\.objectID)
    }
    var levels = [context(coordinator, merges: chance(1, of: 3), .mergeByPropertyObjectTrump)]
    for _ in 0..<(1 + draw(2)) { levels.append(context(in: levels[levels.count - 1], merges: chance(1, of: 3))) }
    let held = try levels.map { level in try level.performAndWait { try some(all("Item", level), atMost: 9) } }
    var layers = UnsavedLayers(file: try stored(coordinator), levels: levels.count)
    for _ in 0..<(8 + draw(14)) {
      let level = draw(levels.count)
      let owner = levels[level]
      switch draw(9) {
      case 0, 1, 2:
        if chance(1, of: 2) { bringUpToDate(levels[...level]) }
        try setUnlike(owner, &boxes, &layers[level + 1])
      case 3, 4:
        other.performAndWait { other.refreshAllObjects() }
        try setUnlike(other, &boxes, &layers[0])
        try other.performAndWait { try save(other) }
      case 5: bringUpToDate([owner])
      case 6: try dropUnsaved(owner, &layers[level + 1])
      case 7:
        try owner.performAndWait { try save(owner) }
        layers.push(level + 1)
      default: try requireLayers(levels, layers)
      }
    }
    try requireLayers(levels, layers)
    for (level, owner) in levels.enumerated().reversed() {
      try owner.performAndWait { try save(owner) }
      layers.push(level + 1)
    }
    try requireLayers(levels, layers)
    let file = try stored(coordinator)
    try require(try picture(levels[0]), file, .unpersistedSave, "in a root that has saved, and was refreshed")
    for (level, objects) in zip(levels, held) { level.performAndWait { withExtendedLifetime(objects) {} } }
  }

  private func bringUpToDate(_ levels: ArraySlice<NSManagedObjectContext>) {
    for level in levels {
      note("refresh all of \(level.name ?? "")")
      level.performAndWait { level.refreshAllObjects() }
    }
  }

  /// Gives an item a value, or a box, that it has at no other level, nor ever had.
  private func setUnlike(
    _ owner: NSManagedObjectContext, _ boxes: inout [NSManagedObjectID], _ layer: inout UnsavedLayers.Layer
  ) throws {
    try owner.performAndWait {
      guard let item = pick(try all("Item", owner)), let key = pick(UnsavedLayers.keys) else { return }
      let isAttribute = item.entity.attributesByName[key] != nil
      guard isAttribute || !boxes.isEmpty else { return }
      item.setValue(
        isAttribute ? 100 + newNumber() : try owner.existingObject(with: boxes.removeLast()), forKey: key)
      let (number, text) = (RulePicture.number(item), RulePicture.properties(of: item)[key] ?? "")
      note("\(key) of \(number) = \(text) in \(owner.name ?? "")")
      if chance(1, of: 2) { owner.processPendingChanges() }
      layer[number, default: [:]][key] = text
    }
  }

  /// Drops what is unsaved of one object, or of all.
  private func dropUnsaved(_ owner: NSManagedObjectContext, _ layer: inout UnsavedLayers.Layer) throws {
    try owner.performAndWait {
      guard chance(2, of: 3), let item = pick(try all("Item", owner)) else {
        note("rollback of \(owner.name ?? "")")
        layer = [:]
        return owner.rollback()
      }
      note("refresh \(RulePicture.number(item)) in \(owner.name ?? "") without its changes")
      layer[RulePicture.number(item)] = nil
      owner.refresh(item, mergeChanges: false)
    }
  }

  /// Brings the levels up to date, and looks at each, and at both sides of its relationships.
  private func requireLayers(_ levels: [NSManagedObjectContext], _ layers: UnsavedLayers) throws {
    precondition(!levels.isEmpty && levels[0].parent == nil, "the first level is the root")
    bringUpToDate(levels[...])
    let links = RuleLinks(RuleModel.shared)
    for (level, owner) in levels.enumerated() {
      let seen = try picture(owner)
      for (number, texts) in layers.shown(at: level + 1).sorted(by: { $0.key < $1.key }) {
        for key in UnsavedLayers.keys {
          try require(
            seen.objects[number]?[key] ?? "", texts[key] ?? "", .staleRead, "\(key) of \(number) in \(owner.name ?? "")"
          )
        }
      }
      for number in seen.objects.keys.sorted() {
        guard let problem = links.problem(of: number, in: seen) else { continue }
        try report(
          .asymmetricInverse, "\(number) in \(owner.name ?? "")", expected: "both sides say the same", seen: problem)
      }
    }
  }

  /// Changes that a child has not saved are gone with its reset, and the parent has nothing of it.
  private func dropByReset(_ root: NSManagedObjectContext) throws {
    let child = context(in: root)
    let before = try picture(root)
    try child.performAndWait {
      for _ in 0..<3 { try changeSomething(child) }
      note("the child is reset")
      if chance(1, of: 2) { child.reset() } else { child.rollback() }
      try require(child.hasChanges, false, .wrongValue, "changes of a child after a reset or a rollback")
    }
    try require(
      try picture(child).withoutDerived, before.withoutDerived, .wrongValue, "in a child after its changes were dropped"
    )
    try require(
      [try picture(root) == before, root.performAndWait { root.hasChanges }], [true, false], .dirtyRead,
      "whether the parent is as before, and has changes")
  }
}

/// The values of items in the file, and the unsaved ones of each level above it, by the items' numbers.
private struct UnsavedLayers {
  typealias Layer = [Int: [String: String]]

  static let keys = ["rank", "weight", "box", "shelf", "covered"]

  /// The file's first, then from the root down.
  private var layers: [Layer]

  init(file: RulePicture, levels: Int) {
    precondition(levels > 0, "a tree has a root")
    layers = [file.objects.filter { $0.value["entity"]?.hasSuffix("Item") == true }]
    layers += Array(repeating: [:], count: levels)
  }

  subscript(level: Int) -> Layer {
    get { layers[level] }
    set { layers[level] = newValue }
  }

  /// A level's values are the next one's above.
  mutating func push(_ level: Int) {
    precondition(level > 0 && layers.indices.contains(level), "a level is saved to the one above it")
    layers[level - 1].merge(layers[level]) { $0.merging($1) { $1 } }
    layers[level] = [:]
  }

  func shown(at level: Int) -> Layer {
    layers[...level].reduce(into: [:]) { shown, layer in shown.merge(layer) { $0.merging($1) { $1 } } }
  }
}
