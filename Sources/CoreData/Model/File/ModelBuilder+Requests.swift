import RowStore

extension ModelBuilder {
  /// Reads configurations and fetch request templates; every entity and property is there.
  mutating func readRequests(_ root: ModelElement, _ model: NSManagedObjectModel) {
    for element in root.children("configuration") {
      guard let name = name(element, of: "a configuration") else { continue }
      if model.entitiesByConfiguration[name] != nil { problem(element, "the configuration \(name) is declared twice") }
      var members: [NSEntityDescription] = []
      for member in element.children("memberEntity") {
        guard let entity = member["name"].flatMap({ entitiesByName[$0]?.description }) else {
          problem(member, "configuration \(name): there is no entity \(member["name"] ?? "?")")
          continue
        }
        if !members.contains(where: { $0 === entity }) { members.append(entity) }
      }
      model.entitiesByConfiguration[name] = members
    }
    for element in root.children("fetchRequest") {
      guard let name = name(element, of: "a fetchRequest") else { continue }
      if model.templates[name] != nil { problem(element, "the fetchRequest \(name) is declared twice") }
      if let request = request(element, "fetchRequest \(name)") { model.templates[name] = request }
    }
    for entity in entities {
      for property in properties[ObjectIdentifier(entity.description)] ?? [] {
        guard let fetched = property.description as? NSFetchedPropertyDescription else { continue }
        let label = "\(entity.name).\(fetched.name)"
        if let element = property.element.children("fetchRequest").first {
          fetched.fetchRequest = request(element, label)
        } else {
          problem(property.element, "\(label): a fetched property needs a fetchRequest")
        }
      }
    }
  }

  private mutating func request(_ element: ModelElement, _ label: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let name = element["entity"], let entity = entitiesByName[name] else {
      problem(element, "\(label): there is no entity \(element["entity"] ?? "?") to fetch")
      return nil
    }
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity.description
    if let text = element["predicateString"], !text.isEmpty {
      request.predicate = predicate(text, element, "\(label): predicateString")
    }
    request.fetchLimit = count(element, "fetchLimit") ?? 0
    request.fetchBatchSize = count(element, "fetchBatchSize") ?? 0
    request.includesSubentities =
      flag(element, "includeSubentities", true) && flag(element, "includesSubentities", true)
    request.includesPropertyValues =
      flag(element, "includePropertyValues", true) && flag(element, "includesPropertyValues", true)
    request.includesPendingChanges =
      flag(element, "includePendingChanges", true) && flag(element, "includesPendingChanges", true)
    request.returnsObjectsAsFaults =
      flag(element, "returnObjectsAsFaults", true) && flag(element, "returnsObjectsAsFaults", true)
    request.returnsDistinctResults =
      flag(element, "returnDistinctResults") || flag(element, "returnsDistinctResults")
    if let type = count(element, "resultType") {
      if [0, 1, 2, 4].contains(type) {
        request.resultType = NSFetchRequestResultType(rawValue: UInt(type))
      } else {
        problem(element, "\(label): resultType is \(type); 0 is objects, 1 IDs, 2 dictionaries, 4 a count")
      }
    }
    return request
  }

  // MARK: Formats

  /// A predicate from its format; a problem where the format is wrong.
  mutating func predicate(_ text: String, _ element: ModelElement, _ label: String) -> NSPredicate? {
    do {
      return try PredicateParser.predicate(text, [])
    } catch {
      problem(element, "\(label): \(error)")
      return nil
    }
  }

  /// An expression from its format; a problem where the format is wrong.
  mutating func expression(_ text: String, _ element: ModelElement, _ label: String) -> NSExpression? {
    do {
      return try PredicateParser.expression(text, [])
    } catch {
      problem(element, "\(label): \(error)")
      return nil
    }
  }
}
