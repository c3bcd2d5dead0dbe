extension NSManagedObjectModel {
  /// The name that Apple's stores have where no configuration was asked for.
  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The names of the configurations, sorted; the default one, of all entities, has none.
  public final var configurations: [String] { entitiesByConfiguration.keys.sorted() }

  /// The entities of a configuration; all with nil, and nil where there is no such configuration.
  public final func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != Self.defaultConfiguration else { return entities }
    return entitiesByConfiguration[configuration]
  }

  /// Makes a configuration of these entities, or gives it other ones.
  ///
  /// - Precondition: the entities are the model's, and the model is not in use.
  public final func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
    requireMutable()
    for entity in entities where !self.entities.contains(where: { $0 === entity }) {
      preconditionFailure(
        "\(entity.name ?? "?") is no entity of the model; a configuration takes entities of its model")
    }
    entitiesByConfiguration[configuration] = entities
  }
}
