import SQLite
import Testing

@testable import CoreData

/// To-many relationships without inverse: the destination's rows have the owner's key in a column that no property of
/// theirs is for. S6.4
@Suite struct MembershipTests {
  /// An album with photos in no order, pages in order, and albums within albums.
  private static func model() -> NSManagedObjectModel {
    let (album, photo) = (
      Notebook.entity("Album", NSManagedObject.self), Notebook.entity("Photo", NSManagedObject.self)
    )
    let page = Notebook.entity("Page", NSManagedObject.self)
    let wide = Notebook.entity("WidePhoto", NSManagedObject.self)
    photo.subentities = [wide]
    album.properties = [
      Notebook.attribute("name", .stringAttributeType), Notebook.relationship("photos", to: photo, maxCount: 0),
      Library.ordered("pages", to: page), Notebook.relationship("parts", to: album, maxCount: 0),
    ]
    for entity in [photo, page] { entity.properties = [Notebook.attribute("name", .stringAttributeType)] }
    let model = NSManagedObjectModel()
    model.entities = [album, photo, page, wide]
    return model
  }

  private func names(_ object: NSManagedObject, _ key: String) -> Set<String> {
    let set = object.value(forKey: key) as? Set<NSManagedObject> ?? []
    return Set(set.compactMap { $0.string("name") })
  }

  // S6.4
  @Test func theDestinationHasTheColumnsAndTheirIndex() throws {
    let stack = try TestStack(.file, model: Self.model())
    #expect(
      try stack.sql("SELECT sql FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z[AP]*' ORDER BY name") == [
        "CREATE TABLE ZALBUM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1PARTS INTEGER, ZNAME VARCHAR )",
        "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1PAGES INTEGER, "
          + "Z_FOK_1PAGES INTEGER, ZNAME VARCHAR )",
        "CREATE TABLE ZPHOTO ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1PHOTOS INTEGER, ZNAME VARCHAR )",
      ])
    #expect(
      try stack.sql("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name") == [
        "ZALBUM_Z1PARTS_INDEX", "ZPAGE_Z1PAGES_INDEX", "ZPHOTO_Z1PHOTOS_INDEX", "ZPHOTO_Z_ENT_INDEX",
      ])
  }

  // S6.4
  @Test func membersAreSavedAndComeBack() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { context in
      let album = context.make("Album", "a")
      album.setValue(
        Set(["p", "q"].map { context.make("Photo", $0) } + [context.make("WidePhoto", "w")]), forKey: "photos")
      album.setValue(NSOrderedSet(array: ["3", "1", "2"].map { context.make("Page", $0) }), forKey: "pages")
      album.setValue(Set([album, context.make("Album", "b")]), forKey: "parts")
    }
    try stack.read { context in
      let album = try context.named("Album", "a")
      #expect(names(album, "photos") == ["p", "q", "w"])
      #expect(album.row("pages") == "312")
      #expect(names(album, "parts") == ["a", "b"])
    }
    #expect(try stack.sql("SELECT Z_FOK_1PAGES FROM ZPAGE ORDER BY 1") == ["2048", "3072", "4096"])
  }

  // S6.4, S3.3: the owner's version rises, the members' do not.
  @Test func membersComeAndGo() throws {
    let stack = try TestStack(.file, model: Self.model())
    let context = stack.context()
    try context.performAndWait {
      let album = context.make("Album", "a")
      let photos = ["p", "q", "r"].map { context.make("Photo", $0) }
      album.setValue(Set(photos[0...1]), forKey: "photos")
      album.setValue(NSOrderedSet(array: "abc".map { context.make("Page", "\($0)") }), forKey: "pages")
      try context.save()
      album.mutableSetValue(forKey: "photos").remove(photos[0])
      album.mutableSetValue(forKey: "photos").add(photos[2])
      album.mutable("pages").moveObjects(at: IndexSet(integer: 2), to: 0)
      album.mutable("pages").removeObject(at: 1)
      try context.save()
    }
    try stack.read { context in
      let album = try context.named("Album", "a")
      #expect(names(album, "photos") == ["q", "r"])
      #expect(album.row("pages") == "cb")
    }
    #expect(try stack.sql("SELECT Z_OPT FROM ZALBUM") == ["2"])
    #expect(try stack.sql("SELECT DISTINCT Z_OPT FROM ZPHOTO") == ["1"])
    #expect(try stack.sql("SELECT count(*) FROM ZPAGE WHERE Z1PAGES IS NULL AND Z_FOK_1PAGES IS NULL") == ["1"])
  }

  // S6.4: the file has room for one owner.
  @Test func whoAddsAMemberLastHasIt() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { $0.make("Album", "a").setValue(Set([$0.make("Photo", "p")]), forKey: "photos") }
    try stack.change { context in
      context.make("Album", "b").setValue(Set([try context.named("Photo", "p")]), forKey: "photos")
    }
    try stack.read { context in
      let (first, second) = (try context.named("Album", "a"), try context.named("Album", "b"))
      #expect(names(first, "photos") == [])
      #expect(names(second, "photos") == ["p"])
    }
  }

  // S6.4, S8.1
  @Test func aDeletedOwnerLeavesNoKeyBehind() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { $0.make("Album", "a").setValue(Set([$0.make("Photo", "p")]), forKey: "photos") }
    try stack.change { $0.delete(try $0.named("Album", "a")) }
    #expect(try stack.sql("SELECT quote(Z1PHOTOS) FROM ZPHOTO") == ["NULL"])
  }

  // S6.4: names are distinguished without regard to case.
  @Test func namesThatDifferInCaseGetANumber() throws {
    let (thing, other) = (
      Notebook.entity("Thing", NSManagedObject.self), Notebook.entity("THING", NSManagedObject.self)
    )
    thing.properties = [
      Notebook.attribute("url", .stringAttributeType), Notebook.attribute("URL", .stringAttributeType),
      Notebook.attribute("_pk", .stringAttributeType),
    ]
    other.properties = [Notebook.attribute("url", .stringAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [thing, other]
    let stack = try TestStack(.file, model: model)
    try stack.change { $0.insert("Thing", ["url": "lower", "URL": "upper", "_pk": "key"]) }
    #expect(try stack.sql("SELECT ZURL || ' ' || ZURL1 || ' ' || Z_PK1 FROM ZTHING1") == ["upper lower key"])
    #expect(try stack.sql("SELECT count(*) FROM ZTHING") == ["0"])
  }
}
