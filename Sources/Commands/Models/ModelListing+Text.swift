import CoreData
import Reporting

extension ModelListing {
  /// The model for people.
  package var text: String {
    let names = file.versions.map { $0.name + ($0.name == file.current.name ? " (current)" : "") }
    var lines = ["model \(file.path)", "versions: \(names.joined(separator: ", "))"]
    if version.name != file.current.name { lines.append("version: \(version.name)") }
    let identifiers = model.versionIdentifiers.compactMap { $0 as? String }.filter { !$0.isEmpty }.sorted()
    if !identifiers.isEmpty { lines.append("identifiers: \(identifiers.joined(separator: ", "))") }
    lines.append("entities: \(model.entities.count)")
    for (entity, depth) in entities {
      lines.append("")
      lines += text(entity, depth)
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

  private func text(_ entity: NSEntityDescription, _ depth: Int) -> [String] {
    let facts = Self.facts(entity)
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
    return parts.joined(separator: " ")
  }
}
