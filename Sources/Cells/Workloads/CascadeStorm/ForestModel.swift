import Checking
import CoreData

/// The model of a cascade storm, made in code: trees of folders, with their contents and references to them.
///
/// Sub-folders, documents and covers go with their folder (cascade), bookmarks stay without it (nullify), and a folder
/// with locks stays (deny). Documents and tags are many-to-many, folder and cover are one-to-one.
enum ForestModel {
  /// Numbers of the entities in history records: theirs in the store's file.
  enum EntityNumber {
    static let bookmark: UInt16 = 1
    static let cover: UInt16 = 2
    static let document: UInt16 = 3
    static let folder: UInt16 = 4
    static let lock: UInt16 = 5
    static let tag: UInt16 = 6
  }

  /// The model and its layout.
  ///
  /// - Parameters:
  ///   - ownerRule: The delete rule for sub-folders, documents and cover of a deleted folder; anything but cascade is wrong.
  ///   - referenceRule: The delete rule for the bookmarks' references to it; anything but nullify is wrong.
  static func schema(ownerRule: NSDeleteRule, referenceRule: NSDeleteRule) throws -> WorkloadSchema {
    let model = make(ownerRule: ownerRule, referenceRule: referenceRule)
    let names = model.entities.compactMap(\.name)
    var layout = try StoreLayout(
      of: model, keys: Dictionary(uniqueKeysWithValues: names.map { ($0, "number") }))
    precondition(
      Dictionary(uniqueKeysWithValues: layout.entities.map { ($0.name, $0.number) }) == [
        "Bookmark": EntityNumber.bookmark, "Cover": EntityNumber.cover, "Document": EntityNumber.document,
        "Folder": EntityNumber.folder, "Lock": EntityNumber.lock, "Tag": EntityNumber.tag,
      ], "the forest's entities have the numbers that its changes record")
    for entity in ["Cover", "Document", "Lock"] { layout.require("folder", of: entity) }
    layout.require("parent", of: "Folder", where: "ZDEPTH")
    return WorkloadSchema(model: model, layout: layout)
  }

  private static func make(ownerRule: NSDeleteRule, referenceRule: NSDeleteRule) -> NSManagedObjectModel {
    let folder = ModelParts.entity("Folder")
    let (document, cover) = (ModelParts.entity("Document"), ModelParts.entity("Cover"))
    let (bookmark, lock, tag) = (ModelParts.entity("Bookmark"), ModelParts.entity("Lock"), ModelParts.entity("Tag"))
    folder.properties += [
      ModelParts.number("depth")
    ]
    ModelParts.connect(
      ModelParts.many("children", folder, ownerRule), of: folder, ModelParts.one("parent", folder), of: folder)
    ModelParts.connect(
      ModelParts.many("documents", document, ownerRule), of: folder, ModelParts.one("folder", folder), of: document)
    ModelParts.connect(
      ModelParts.one("cover", cover, ownerRule), of: folder, ModelParts.one("folder", folder), of: cover)
    ModelParts.connect(
      ModelParts.many("bookmarks", bookmark, referenceRule), of: folder, ModelParts.one("folder", folder), of: bookmark)
    ModelParts.connect(
      ModelParts.many("locks", lock, .denyDeleteRule), of: folder, ModelParts.one("folder", folder), of: lock)
    ModelParts.connect(
      ModelParts.many("tags", tag, .nullifyDeleteRule), of: document,
      ModelParts.many("documents", document, .nullifyDeleteRule), of: tag)
    let model = NSManagedObjectModel()
    model.entities = [folder, document, cover, bookmark, lock, tag]
    return model
  }
}
