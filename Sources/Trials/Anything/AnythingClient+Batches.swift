import Cells
import Checking
import CoreData

// Batch requests: they change the file past the contexts, which then hear of it by IDs.

extension AnythingClient {
  /// Carries edits of one kind out as one batch request of the own context.
  ///
  /// Edits of another kind, entity, attribute or value than the first are left out.
  func batch(_ all: [Edit]) throws {
    var after = file
    switch all.first {
    case .set(_, let attribute, let value):
      let names = all.compactMap { edit -> Int? in
        guard case .set(let name, attribute, value) = edit, after.apply(edit) else { return nil }
        return name
      }
      guard !names.isEmpty, let property = model.attributes[attribute] else { return }
      let request = NSBatchUpdateRequest(entityName: property.entity)
      request.predicate = NSPredicate(format: "\(DrawnModel.number) IN %@", names)
      request.propertiesToUpdate = [attribute: value.map { DrawnValue.value(property.type, $0) } ?? NSNull()]
      request.resultType = .updatedObjectIDsResultType
      try carryOut(request, after, touched: Set(names)) { ($0 as? NSBatchUpdateResult)?.result }
    case .insert(_, let entity): try batchInsert(all, entity)
    case .delete(let first):
      let root = file.nodes[first].map { model.root(of: $0.entity) }
      let names = all.compactMap { edit -> Int? in
        guard case .delete(let name) = edit, file.nodes[name].map({ model.root(of: $0.entity) }) == root,
          after.apply(edit)
        else { return nil }
        return name
      }
      guard let root, !names.isEmpty else { return }
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: root)
      fetch.predicate = NSPredicate(format: "\(DrawnModel.number) IN %@", names)
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeObjectIDs
      try carryOut(request, after, touched: Set(names)) { ($0 as? NSBatchDeleteResult)?.result }
    default: return
    }
  }

  private func batchInsert(_ all: [Edit], _ entity: String) throws {
    var after = file
    var values: [Int: [String: Any]] = [:]
    for edit in all {
      switch edit {
      case .insert(let name, entity) where after.apply(edit):
        values[name] = [DrawnModel.island: island, DrawnModel.number: name]
      case .set(let name, let attribute, let value?) where values[name] != nil && after.apply(edit):
        guard let type = model.attributes[attribute]?.type else { continue }
        values[name]?[attribute] = DrawnValue.value(type, value)
      default: continue
      }
    }
    guard !values.isEmpty else { return }
    precondition(
      values.keys.allSatisfy { file.nodes[$0] == nil }, "a batch inserts objects that the file does not have")
    let request = NSBatchInsertRequest(
      entityName: entity, objects: values.sorted { $0.key < $1.key }.map(\.value))
    request.resultType = .objectIDs
    try carryOut(request, after, touched: Set(values.keys)) { ($0 as? NSBatchInsertResult)?.result }
  }

  /// - Parameters:
  ///   - after: the expected file.
  ///   - touched: the objects with IDs that the request has to return.
  private func carryOut(
    _ request: NSPersistentStoreRequest, _ after: ObjectGraph, touched: Set<Int>,
    ids: @Sendable (NSPersistentStoreResult) -> Any?
  ) throws {
    precondition(!touched.isEmpty, "a batch request is about objects")
    let result = own.context.performAndWait {
      Result { ids(try own.context.execute(request)) as? [NSManagedObjectID] ?? [] }
    }
    let kind = "\(type(of: request)) of \(own.name)"
    switch result {
    case .failure(let error as NSError):
      if session.faults.explains(error)
        || error.code == NSValidationRelationshipDeniedDeleteError && !after.denied.isEmpty
      {
        return try checkFile()
      }
      try report(.failedSave, kind, expected: "carried out", seen: "\(error.code): \(error.localizedDescription)")
    case .success(let ids):
      let before = file
      guard after.denied.isEmpty else {
        return try report(
          .wrongValue, kind, expected: "refused, since a delete rule denies a deletion", seen: "carried out")
      }
      var new = after
      new.forgetGone()
      try settle(new)
      let seen = Set(ids.map(rows.name))
      let deleted = Set(before.nodes.keys).subtracting(new.nodes.keys)
      if !touched.isSubset(of: seen) || !seen.isSubset(of: touched.union(deleted)) {
        try report(.wrongValue, "the IDs of \(kind)", expected: "\(touched.sorted())", seen: "\(seen.sorted())")
      }
      tell(of: before, new, touched)
      try hearAutomatically()
    }
  }

  /// Merges the changes of a batch request into contexts, as an app does.
  ///
  /// - Parameter touched: the objects that the request names; those of rules are added.
  private func tell(of before: ObjectGraph, _ after: ObjectGraph, _ touched: Set<Int>) {
    let (old, new) = (Set(before.nodes.keys), Set(after.nodes.keys))
    precondition(touched.isSubset(of: old.union(new)), "a batch is about objects that the file had, or has now")
    let save = RemoteSave(
      inserted: rows.ids(of: new.subtracting(old)),
      updated: rows.ids(
        of: old.intersection(new).filter { before.nodes[$0] != after.nodes[$0] || touched.contains($0) }),
      deleted: rows.ids(of: old.subtracting(new)))
    let fresh = session.container.newBackgroundContext()
    session.environment.adopt(fresh, name: "fresh \(island)")
    // Row caches that still have the old rows learn of the new ones.
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: save.identifiers, into: [fresh])
    inbox.add(save)
    forwardToMain(save)
  }
}
