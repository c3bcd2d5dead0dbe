import CoreData
import Reporting

extension ModelListing {
  /// The model for people.
  var text: String {
    let names = file.versions.map { $0.name + ($0.name == file.currentName ? " (current)" : "") }
    var lines = ["model \(file.path)", "versions: \(names.joined(separator: ", "))"]
    if version.name != file.currentName { lines.append("version: \(version.name)") }
    let identifiers = model.versionIdentifiers.compactMap { $0 as? String }.filter { !$0.isEmpty }.sorted()
    if !identifiers.isEmpty { lines.append("identifiers: \(identifiers.joined(separator: ", "))") }
    lines.append("entities: \(model.entities.count)")
    for (entity, depth) in entities {
      lines.append("")
      lines += Self.text(entity, depth)
    }
    if !model.configurations.isEmpty { lines.append("") }
    for name in model.configurations {
      let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted()
      lines.append("configuration \(name): \(members.joined(separator: ", "))")
    }
    let templates = model.fetchRequestTemplatesByName
    if !templates.isEmpty { lines.append("") }
    for (name, request) in templates.sorted(by: { $0.key < $1.key }) {
      lines.append("fetch request \(name): \(Self.text(request))")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  static func text(_ entity: NSEntityDescription, _ depth: Int) -> [String] {
    let facts = facts(entity)
    let indent = String(repeating: "  ", count: depth)
    var lines = [indent + ([facts.kind + " " + facts.name] + facts.details).joined(separator: ", ")]
    let properties = Self.ownProperties(entity).map(Self.facts)
    if properties.isEmpty { return lines }
    var table = TextTable(columns: [.left("property"), .left("type"), .left("rules")])
    for property in properties {
      table.append([property.name, property.kind, property.details.joined(separator: ", ")])
    }
    lines += table.rendered().split(separator: "\n").map { indent + "  " + $0 }
    return lines
  }

  static func text(_ request: NSFetchRequest<any NSFetchRequestResult>) -> String {
    var parts = [request.entityName ?? "?"]
    if let predicate = request.predicate { parts.append("where \(predicate.description)") }
    if request.fetchLimit > 0 { parts.append("limit \(request.fetchLimit)") }
    if request.fetchBatchSize > 0 { parts.append("batches of \(request.fetchBatchSize)") }
    switch request.resultType {
    case .managedObjectIDResultType: parts.append("as IDs")
    case .dictionaryResultType: parts.append("as dictionaries")
    case .countResultType: parts.append("as a count")
    default: break
    }
    if request.returnsDistinctResults { parts.append("distinct") }
    if !request.includesSubentities { parts.append("without sub-entities") }
    if !request.includesPendingChanges { parts.append("without pending changes") }
    if !request.returnsObjectsAsFaults { parts.append("without faults") }
    return parts.joined(separator: " ")
  }
}
