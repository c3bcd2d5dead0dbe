import CoreData

extension ModelListing {
  private struct Document: Encodable {
    struct Entry: Encodable {
      let name: String
      let type: String
      let details: [String]
    }

    struct Entity: Encodable {
      let name: String
      let parent: String?
      let isAbstract: Bool
      /// In hexadecimal digits.
      let versionHash: String
      let details: [String]
      let properties: [Entry]
    }

    struct Request: Encodable {
      let name: String
      let entity: String?
      let predicate: String?
    }

    let model: String
    let versions: [String]
    let currentVersion: String?
    let version: String
    let entities: [Entity]
    let configurations: [String: [String]]
    let fetchRequests: [Request]
    let warnings: [String]
  }

  /// The model as JSON with a line end.
  func json() throws -> String {
    let document = Document(
      model: file.path, versions: file.versions.map(\.name), currentVersion: file.currentName, version: version.name,
      entities: entities.map { entity, _ in
        Document.Entity(
          name: entity.name ?? "?", parent: entity.superentity?.name, isAbstract: entity.isAbstract,
          versionHash: entity.versionHash.map { String(format: "%02x", $0) }.joined(),
          details: Self.facts(entity).details,
          properties: Self.ownProperties(entity).map(Self.facts).map {
            Document.Entry(name: $0.name, type: $0.kind, details: $0.details)
          })
      },
      configurations: Dictionary(
        uniqueKeysWithValues: model.configurations.map { name in
          (name, (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted())
        }),
      fetchRequests: model.fetchRequestTemplatesByName.sorted { $0.key < $1.key }.map { name, request in
        Document.Request(name: name, entity: request.entityName, predicate: request.predicate?.description)
      },
      warnings: warnings)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }
}
