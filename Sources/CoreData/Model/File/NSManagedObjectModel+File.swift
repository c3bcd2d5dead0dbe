extension NSManagedObjectModel {
  /// Makes the model of an `.xcdatamodeld` or `.momd` (its current version), an `.xcdatamodel` or the XML in it, or a `.mom`.
  ///
  /// Nil where that cannot be read; why is said on standard error, with file and line. Classes that the model names and
  /// the process does not have are `NSManagedObject`.
  public convenience init?(contentsOf url: URL) {
    do throws(ModelFileError) {
      try self.init(reading: ModelFile(url.path))
    } catch {
      Self.report(error)
      return nil
    }
  }

  /// The models among the resources of `bundles`, of the main bundle with nil, in one.
  ///
  /// Nil where there is none, or one cannot be read; why is said on standard error.
  public static func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    models(in: bundles).flatMap { NSManagedObjectModel(byMerging: $0) }
  }

  /// The models among the resources of `bundles` that a store was made with, in one; every version is looked at.
  ///
  /// Nil where the entities of the store are not all among them, or one cannot be read, which is said on standard error.
  public static func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    models(in: bundles, everyVersion: true).flatMap { NSManagedObjectModel(byMerging: $0, forStoreMetadata: metadata) }
  }

  private static func models(in bundles: [Bundle]?, everyVersion: Bool = false) -> [NSManagedObjectModel]? {
    let bundles = bundles ?? [Bundle.main]
    do throws(ModelFileError) {
      var models: [NSManagedObjectModel] = []
      for path in ModelLocator.all(in: bundles) {
        let file = try ModelFile(path)
        for version in everyVersion ? file.versions : [try file.current] {
          models.append(try NSManagedObjectModel(reading: file, version: version))
        }
      }
      if !models.isEmpty { return models }
      let folders = ModelLocator.folders(of: bundles).joined(separator: ", ")
      throw ModelFileError(
        folders, "there is no .momd, .mom, .xcdatamodeld or .xcdatamodel among these resources", isMissing: true)
    } catch {
      report(error)
      return nil
    }
  }

  private static func report(_ error: ModelFileError) {
    FileHandle.standardError.write(Data("CoreData: error: the model cannot be read:\n\(error)\n".utf8))
  }

  /// Makes the model of a version of `file`, its current one with nil.
  ///
  /// - Parameter plainObjects: the objects of all entities are `NSManagedObject`, whatever classes there are.
  package convenience init(
    reading file: ModelFile, version: ModelFile.Version? = nil, plainObjects: Bool = false
  ) throws(ModelFileError) {
    self.init()
    let version = if let version { version } else { try file.current }
    fileWarnings = try ModelBuilder.read(version, into: self)
    self.file = file
    if plainObjects {
      for entity in entities { entity.classRule = .plain }
    }
  }

  /// The version of the model's file that a store with this metadata was made with, by its version hashes; nil where no
  /// version has them, or the model is of no file.
  package final func version(madeWith metadata: [String: Any]) -> String? {
    guard let file else { return nil }
    return file.versions.first { version in
      let other = try? NSManagedObjectModel(reading: file, version: version, plainObjects: true)
      return other?.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) ?? false
    }?.name
  }

  /// Makes the model of XML; `path` is for errors.
  package convenience init(xml: Data, path: String = "contents", plainObjects: Bool = false) throws(ModelFileError) {
    self.init()
    fileWarnings = try ModelBuilder.build(xml, path: path, into: self)
    if plainObjects {
      for entity in entities { entity.classRule = .plain }
    }
  }

  /// The model as a keyed archive of the form that Apple's compiler makes, without rules, templates and configurations.
  package var archived: Data {
    let identifiers = versionIdentifiers.compactMap { $0 as? String }.sorted()
    return Data(ModelArchiver.archive(entities, identifiers: identifiers))
  }

  /// Checks that the stack can work with the model, which is in use from then on.
  ///
  /// - Throws: an error with every problem in its description.
  package func use() throws { _ = try freeze() }
}
