extension CompiledModelBuilder {
  /// The bits of `NSFetchRequestFlags`, as compiled models of known sources have them.
  private enum RequestFlag {
    static let distinctResults: Int64 = 1
    static let subentities: Int64 = 2
    static let propertyValues: Int64 = 4
    static let faults: Int64 = 8
    static let pendingChanges: Int64 = 16
  }

  /// Reads configurations, fetch request templates and fetched properties; every entity and property is there.
  mutating func readRequests(
    _ root: ModelArchive.Object, _ entityObjects: [ModelArchive.Object], _ model: NSManagedObjectModel
  ) throws {
    for (name, value) in try archive.dictionary(root["NSConfigurations"])
    where name != NSManagedObjectModel.defaultConfiguration {
      let members = try archive.list(value).compactMap { try archive.object($0).flatMap { entities[$0.index] } }
      model.entitiesByConfiguration[name] = members
    }
    for (name, value) in try archive.dictionary(root["NSFetchRequestTemplates"]) {
      if let request = try request(value, "fetch request \(name)") { model.templates[name] = request }
    }
    for object in entityObjects {
      guard let entity = entities[object.index] else { continue }
      for (_, value) in try archive.dictionary(object["NSProperties"]) {
        guard let part = try archive.object(value), let name = try archive.text(part["NSPropertyName"]),
          let fetched = entity.ownProperties.first(where: { $0.name == name }) as? NSFetchedPropertyDescription
        else { continue }
        fetched.fetchRequest = try request(part["NSFetchRequest"], "\(entity.name ?? "").\(name)")
      }
    }
  }

  private mutating func request(
    _ value: ModelArchive.Value?, _ label: String
  ) throws -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let object = try archive.object(value), object.className == "NSFetchRequest",
      let entity = try archive.object(object["NSEntity"]).flatMap({ entities[$0.index] })
    else {
      problem("\(label): there is no entity to fetch")
      return nil
    }
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity
    request.predicate = try formats.predicate(object["NSPredicate"], in: archive)
    request.fetchLimit = max(0, Int(clamping: archive.number(object["NSFetchLimit"])))
    request.fetchOffset = max(0, Int(clamping: archive.number(object["NSFetchOffset"])))
    request.fetchBatchSize = max(0, Int(clamping: archive.number(object["NSBatchSize"])))
    let type = archive.number(object["NSResultType"])
    if [0, 1, 2, 4].contains(type) {
      request.resultType = NSFetchRequestResultType(rawValue: UInt(type))
    } else {
      problem("\(label): its result type is \(type), which is not a result type")
    }
    guard archive.flag(object["NSHasFetchRequestFlags"]) else { return request }
    let flags = archive.number(object["NSFetchRequestFlags"])
    request.returnsDistinctResults = flags & RequestFlag.distinctResults != 0
    request.includesSubentities = flags & RequestFlag.subentities != 0
    request.includesPropertyValues = flags & RequestFlag.propertyValues != 0
    request.returnsObjectsAsFaults = flags & RequestFlag.faults != 0
    request.includesPendingChanges = flags & RequestFlag.pendingChanges != 0
    return request
  }
}
