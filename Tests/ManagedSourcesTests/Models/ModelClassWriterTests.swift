import Foundation
import ManagedSources
import Testing

/// The sources made of a target's model files.
struct ModelClassWriterTests {
  private static let model = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model>
      <entity name="Note" representedClassName="App.Note" codeGenerationType="class">
        <attribute name="title" attributeType="String"/>
        <attribute name="count" attributeType="Integer 64" usesScalarValueType="YES"/>
        <attribute name="rank" optional="YES" attributeType="Integer 16" usesScalarValueType="NO"/>
        <attribute name="color" attributeType="Transformable" customClassName="Paint"/>
        <attribute name="whatever" attributeType="Undefined"/>
        <relationship name="words" toMany="YES" ordered="YES" destinationEntity="Word"/>
      </entity>
      <entity name="Memo" representedClassName="Memo" parentEntity="Note" codeGenerationType="class"/>
      <entity name="Word" representedClassName="Term" codeGenerationType="category">
        <relationship name="note" maxCount="1" destinationEntity="Note"/>
      </entity>
      <entity name="Tag" representedClassName="Tag"><attribute name="name" attributeType="String"/></entity>
      <composite name="Size"><attribute name="width" attributeType="Double"/></composite>
    </model>
    """

  @Test func classesAreAsXcodeMakesThem() throws {
    let entities = try ModelEntity.read(Data(Self.model.utf8), path: "contents")
    #expect(entities.map(\.name) == ["Note", "Memo", "Word", "Tag"])
    #expect(entities[3].attributes.map(\.name) == ["name"], "a composite's attributes are its own")
    let text = ModelClassWriter.file(for: [entities])
    for part in [
      "nonisolated public class Note: NSManagedObject {\n  @NSManaged public var title: String?",
      "nonisolated public class Memo: Note {}",
      "nonisolated extension Term {",
      "NSFetchRequest<Term>(entityName: \"Word\")", "@NSManaged public var title: String?",
      "@NSManaged public var count: Int64\n", "@NSManaged public var rank: NSNumber?",
      "@NSManaged public var color: Paint?", "@NSManaged public var words: NSOrderedSet?",
      "@NSManaged public func insertIntoWords(_ value: Term, at idx: Int)",
      "@NSManaged public func addToWords(_ values: NSOrderedSet)", "@NSManaged public var note: Note?",
      "nonisolated extension Note: Identifiable {}",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    for part in ["class Term", "Tag", "whatever", "extension Memo: Identifiable"] {
      #expect(!text.contains(part), "\(part)")
    }
  }

  @Test func accessorsOfGeneratedClassesAreWritten() throws {
    var sources = ModuleSources(module: "App")
    let text = ModelClassWriter.file(for: [try ModelEntity.read(Data(Self.model.utf8), path: "contents")])
    sources.add(SwiftSource(path: "CoreDataModels.swift", text: text))
    sources.add(
      SwiftSource(path: "Term.swift", text: "import CoreData\nclass Term: NSManagedObject {}\nclass Paint: NSObject {}")
    )
    let accessors = try AccessorWriter.file(for: sources).get()
    #expect(accessors.contains("_insert(value0, into: _coreDataKey_words, at: value1)"))
  }

  @Test func versionsGoIntoOneFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bundle-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = folder.appendingPathComponent("Notes.xcdatamodeld")
    for name in ["Notes", "Notes 2"] {
      let version = model.appendingPathComponent("\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data("<model><entity name=\"\(name)\"/></model>".utf8).write(to: version.appendingPathComponent("contents"))
    }
    let file = model.appendingPathComponent(".xccurrentversion")
    try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "Notes 2.xcdatamodel"], format: .xml, options: 0
    ).write(to: file)
    let bundle = try ModelBundle(model.path)
    #expect(try bundle.entities().map(\.name) == ["Notes 2"])
    let compiled = folder.appendingPathComponent("Notes.momd").path
    for _ in 0..<2 { try bundle.write(to: compiled) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: compiled).sorted()
        == ["Notes 2.mom", "Notes.mom", "VersionInfo.plist"])
  }

  @Test func whatIsWrongIsSaid() throws {
    #expect(throws: SourceProblem.self) { try ModelEntity.read(Data("<model>\n<".utf8), path: "contents") }
    #expect(throws: SourceProblem.self) { try ModelEntity.read(Data("<?xml?><model/>".utf8), path: "contents") }
    #expect(throws: SourceProblem.self) { try ModelBundle("/nowhere/Notes.xcdatamodeld") }
  }
}
