extension NSManagedObjectModel {
  /// Makes the model of an `.xcdatamodeld` (its current version), an `.xcdatamodel` or the XML in it.
  ///
  /// Nil where that cannot be read; why is said on standard error, with file and line. Classes that the model names and
  /// the process does not have are `NSManagedObject`.
  public convenience init?(contentsOf url: URL) {
    do throws(ModelFileError) {
      try self.init(reading: ModelFile(url.path))
    } catch {
      FileHandle.standardError.write(Data("CoreData: error: the model cannot be read:\n\(error)\n".utf8))
      return nil
    }
  }

  /// Makes the model of a version of `file`, its current one with nil.
  ///
  /// - Parameter plainObjects: the objects of all entities are `NSManagedObject`, whatever classes there are.
  package convenience init(
    reading file: ModelFile, version: ModelFile.Version? = nil, plainObjects: Bool = false
  ) throws(ModelFileError) {
    self.init()
    fileWarnings = try ModelBuilder.read(version ?? file.current, into: self)
    if plainObjects {
      for entity in entities { entity.classRule = .plain }
    }
  }

  /// Makes the model of XML; `path` is for errors.
  package convenience init(xml: Data, path: String = "contents", plainObjects: Bool = false) throws(ModelFileError) {
    self.init()
    fileWarnings = try ModelBuilder.build(xml, path: path, into: self)
    if plainObjects {
      for entity in entities { entity.classRule = .plain }
    }
  }
}
