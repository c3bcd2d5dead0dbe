extension NSManagedObjectModel {
  /// The fetch request templates by name; each a copy.
  public final var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    templates.mapValues(Self.copy)
  }

  /// Keeps a copy of a fetch request under a name; its predicate may have variables; nil removes it.
  ///
  /// - Precondition: the model is not in use.
  public final func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    requireMutable()
    templates[name] = fetchRequestTemplate.map(Self.copy)
  }

  /// A copy of the template of that name; nil where there is none.
  public final func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    templates[name].map(Self.copy)
  }

  /// The template of that name with values in the place of its predicate's variables; nil where there is none.
  public final func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let request = fetchRequestTemplate(forName: name) else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }

  static func copy(_ request: NSFetchRequest<any NSFetchRequestResult>) -> NSFetchRequest<any NSFetchRequestResult> {
    guard let copy = request.copy() as? NSFetchRequest<any NSFetchRequestResult> else { return request }
    return copy
  }
}
