import Testing

@testable import CoreData

/// Models on disk: versions, and where they are looked for.
struct ModelFileTests {
  /// A folder for models, removed with it.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)").path

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, _ name: String) throws {
      let url = URL(fileURLWithPath: path + "/" + name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }

    func version(_ name: String, in model: String = "Notes.xcdatamodeld") throws {
      try write("<model><entity name=\"\(name)\"/></model>", "\(model)/\(name).xcdatamodel/contents")
    }

    func current(_ name: String) throws {
      let data = try PropertyListSerialization.data(
        fromPropertyList: ["_XCCurrentVersionName": name], format: .xml, options: 0)
      try write(String(decoding: data, as: UTF8.self), "Notes.xcdatamodeld/.xccurrentversion")
    }

    func entity(_ name: String) throws -> String? {
      try NSManagedObjectModel(reading: ModelFile(path + "/" + name)).entities.first?.name
    }
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test("S9.1 the current version of an xcdatamodeld is read") func currentVersion() throws {
    let folder = Folder()
    try folder.version("One")
    try folder.version("Two")
    #expect(try folder.entity("Notes.xcdatamodeld") == "Two", "the newest, as Xcode's compiler takes it")
    try folder.version("Notes")
    #expect(try folder.entity("Notes.xcdatamodeld") == "Two")
    try folder.current("Two.xcdatamodel")
    #expect(try folder.entity("Notes.xcdatamodeld/") == "Two")
    let file = try ModelFile(folder.path + "/Notes.xcdatamodeld")
    #expect(file.versions.map(\.name) == ["Notes", "One", "Two"])
    #expect(try NSManagedObjectModel(reading: file, version: file.version("One")).entities.first?.name == "One")
    #expect(message { _ = try file.version("Six") }.contains("has no version Six; there are Notes, One, Two"))
    try folder.current("Three.xcdatamodel")
    #expect(message { _ = try folder.entity("Notes.xcdatamodeld") }.contains("Three.xcdatamodel, which is not there"))
  }

  @Test("S9.1 the only version, a version's folder and the XML itself are models") func oneVersion() throws {
    let folder = Folder()
    try folder.version("One")
    for path in [
      "Notes.xcdatamodeld", "Notes.xcdatamodeld/One.xcdatamodel", "Notes.xcdatamodeld/One.xcdatamodel/contents",
    ] {
      #expect(try folder.entity(path) == "One")
      let url = URL(fileURLWithPath: folder.path + "/" + path)
      #expect(NSManagedObjectModel(contentsOf: url)?.entities.first?.name == "One")
      #expect(try ModelFile(url.path).current.name == "One")
    }
    #expect(
      try NSManagedObjectModel.checksumsForVersionedModel(
        at: URL(fileURLWithPath: folder.path + "/Notes.xcdatamodeld")
      ).keys.sorted() == ["One"])
  }

  @Test("S9.1 versions are in the order of their numbers; an empty .xccurrentversion says nothing") func naturalOrder()
    throws
  {
    let folder = Folder()
    for name in ["Notes10", "Notes", "Notes2"] { try folder.version(name) }
    try folder.write("\n", "Notes.xcdatamodeld/.xccurrentversion")
    let file = try ModelFile(folder.path + "/Notes.xcdatamodeld")
    #expect(file.versions.map(\.name) == ["Notes", "Notes2", "Notes10"])
    #expect(try file.current.name == "Notes10")
    try folder.write("<plist version=\"1.0\"><dict/></plist>", "Notes.xcdatamodeld/.xccurrentversion")
    #expect(try folder.entity("Notes.xcdatamodeld") == "Notes10")
  }

  @Test("S9.1 a store of another version is refused with the version that fits") func fittingVersion() throws {
    let folder = Folder()
    for name in ["Notes", "Notes2"] { try folder.version(name) }
    try folder.current("Notes2.xcdatamodel")
    let file = try ModelFile(folder.path + "/Notes.xcdatamodeld")
    let old = try NSManagedObjectModel(reading: file, version: file.version("Notes"))
    let made = try TestStack(.file, model: old)
    let error = caught { _ = try TestStack(model: try NSManagedObjectModel(reading: file), url: made.url) }
    let text = error?.localizedDescription ?? ""
    #expect(
      text.contains("was made with another version of the model:\n  entity Notes is not in the model\n"), "\(text)")
    #expect(text.contains("\n  the version Notes of the model fits"), "\(text)")
  }

  @Test("S9.3 what is no model says why") func noModel() throws {
    let folder = Folder()
    try folder.write("", "Empty.xcdatamodeld/readme")
    try folder.write("", "Old.xcdatamodel/elements")
    try folder.write("", "Done.momd/Done.mom")
    try folder.write("<model>\n<entity>\n", "Broken.xcdatamodel/contents")
    #expect(message { _ = try folder.entity("Empty.xcdatamodeld") }.contains("it is no model"))
    #expect(message { _ = try folder.entity("Old.xcdatamodel") }.contains("is a model of an old binary format"))
    #expect(message { _ = try folder.entity("Done.momd") }.contains("Done.mom: is no compiled model"))
    #expect(message { _ = try folder.entity("Nowhere.xcdatamodeld") }.contains("there is no such file or folder"))
    #expect(message { _ = try folder.entity("Broken.xcdatamodel") }.contains("Broken.xcdatamodel/contents:2: "))
    #expect(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: folder.path + "/Broken.xcdatamodel")) == nil)
    let error = #expect(throws: NSError.self) {
      do { _ = try ModelFile(folder.path + "/x") } catch { throw error as NSError }
    }
    #expect(error?.domain == NSCocoaErrorDomain && error?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
  }

  @Test("S6.2 a container looks for the model of its name, and says where it did not find it") func locating() {
    let text = message { _ = try ModelLocator.find("NoSuchModel") }
    let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    #expect(text.contains("there is no NoSuchModel.momd, .mom, .xcdatamodeld or .xcdatamodel in /"))
    #expect(text.contains(executable.path), "\(text)")
  }

  @Test("S6.2 a container without its model ends the process") func containerWithoutModel() async {
    await #expect(processExitsWith: .failure) { _ = NSPersistentContainer(name: "NoSuchModel") }
  }

  @Test("S6.2 a container and a merged model find models beside the executable") func containerByName() throws {
    let name = "Contextbench" + UUID().uuidString.filter { $0 != "-" }
    let folder = try #require(ModelLocator.folders(of: [Bundle.main]).first)
    let path = "\(folder)/\(name).xcdatamodeld"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileManager.default.createDirectory(atPath: path + "/V1.xcdatamodel", withIntermediateDirectories: true)
    try Data("<model><entity name=\"\(name)\"/></model>".utf8)
      .write(to: URL(fileURLWithPath: path + "/V1.xcdatamodel/contents"))
    let container = NSPersistentContainer(name: name)
    #expect(container.name == name && container.managedObjectModel.entities.map(\.name) == [name])
    #expect(NSManagedObjectModel.mergedModel(from: nil)?.entitiesByName[name] != nil)
    let metadata = [NSStoreModelVersionHashesKey: container.managedObjectModel.entityVersionHashesByName]
    let merged = NSManagedObjectModel.mergedModel(from: [Bundle.main], forStoreMetadata: metadata)
    #expect(merged?.entities.map(\.name) == [name])
    let other = [NSStoreModelVersionHashesKey: [name: Data(count: 32)]]
    #expect(NSManagedObjectModel.mergedModel(from: [Bundle.main], forStoreMetadata: other) == nil)
  }

  @Test("S9.1 a class that is not there is NSManagedObject for a model from a file") func missingClass() throws {
    let model = try ModelReadingTests.model(
      """
      <entity name="A" representedClassName="NoSuchClassAnywhere"/>
      <entity name="B" representedClassName=".LookedUpByItsName"/>
      """)
    let entities = try model.freeze().entities
    #expect(entities[0].objectClass == NSManagedObject.self && entities[1].objectClass == LookedUpByItsName.self)
    let plain = try NSManagedObjectModel(
      xml: Data("<model><entity name='B' representedClassName='LookedUpByItsName'/></model>".utf8), plainObjects: true)
    #expect(try plain.freeze().entities[0].objectClass == NSManagedObject.self)
  }

  // S9.1: neither the main bundle's nor those of a folder beside it.
  @Test func theModelsOfABundleAreThoseInIt() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bundles-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (place, name) in [("Own.resources", "Mine"), ("Other.resources", "Yours")] {
      let model = folder.appendingPathComponent("\(place)/\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
      try Data("<model><entity name='\(name)'/></model>".utf8).write(to: model.appendingPathComponent("contents"))
    }
    let own = try #require(Bundle(path: folder.appendingPathComponent("Own.resources").path))
    #expect(NSManagedObjectModel.mergedModel(from: [own])?.entities.map(\.name) == ["Mine"])
    let both = try #require(Bundle(path: folder.appendingPathComponent("Other.resources").path))
    #expect(Set(NSManagedObjectModel.mergedModel(from: [own, both])?.entities.map(\.name) ?? []) == ["Mine", "Yours"])
  }
}
