import CoreData

/// The contents of a model on disk, for people and for programs.
struct ModelListing {
  /// Why there is nothing to list.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  /// One property or entity, as pairs in the order in which they are shown.
  struct Facts {
    var name: String
    var kind: String
    var details: [String] = []
  }

  let file: ModelFile
  let version: ModelFile.Version
  let model: NSManagedObjectModel
  /// Parts that were read and not understood.
  let warnings: [String]
  /// The reason why the stack cannot use the model; nil when it can.
  let problem: String?

  /// Reads the model at `path`, its current version unless another is named.
  init(_ path: String, version name: String? = nil) throws(Unusable) {
    do throws(ModelFileError) {
      file = try ModelFile(path)
      version = if let name { try file.version(name) } else { try file.current }
      model = try NSManagedObjectModel(reading: file, version: version, plainObjects: true)
    } catch {
      throw Unusable(description: error.description)
    }
    warnings = model.fileWarnings.map { "\($0)" }
    do {
      try model.use()
      problem = nil
    } catch {
      problem = "\(path): \(error)"
    }
  }

  /// Entities, a parent before its sub-entities; siblings by name.
  var entities: [(entity: NSEntityDescription, depth: Int)] { Self.entities(of: model) }

  private static func entities(of model: NSManagedObjectModel) -> [(entity: NSEntityDescription, depth: Int)] {
    var result: [(NSEntityDescription, Int)] = []
    func add(_ entity: NSEntityDescription, _ depth: Int) {
      result.append((entity, depth))
      for child in entity.subentities.sorted(by: Self.byName) { add(child, depth + 1) }
    }
    for entity in model.entities.filter({ $0.superentity == nil }).sorted(by: Self.byName) { add(entity, 0) }
    return result
  }

  /// The entities of a model that is in no file, for people.
  static func lines(_ model: NSManagedObjectModel) -> [String] {
    entities(of: model).flatMap { [""] + text($0.entity, $0.depth) }
  }

  private static func byName(_ left: NSEntityDescription, _ right: NSEntityDescription) -> Bool {
    (left.name ?? "") < (right.name ?? "")
  }
}
