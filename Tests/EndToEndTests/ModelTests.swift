import Foundation
import Testing

struct ModelTests {
  private static let xml = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="v2">
      <entity name="Note" representedClassName=".Note" syncable="YES">
        <attribute name="created" attributeType="Date" defaultDateTimeInterval="0" usesScalarValueType="NO"/>
        <attribute name="title" optional="YES" attributeType="String" maxValueString="80" elementID="name"/>
        <relationship name="words" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" destinationEntity="Word" inverseName="note" inverseEntity="Word"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="title"/></uniquenessConstraint></uniquenessConstraints>
        <fetchIndex name="byCreated"><fetchIndexElement property="created" type="Binary" order="descending"/></fetchIndex>
      </entity>
      <entity name="Page" parentEntity="Note" isAbstract="YES"/>
      <entity name="Word" syncable="YES">
        <relationship name="note" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Note" inverseName="words" inverseEntity="Note"/>
      </entity>
      <configuration name="Words"><memberEntity name="Word"/></configuration>
      <fetchRequest name="Titled" entity="Note" predicateString="title == $TITLE" fetchLimit="5"/>
    </model>
    """

  private func tool(_ xml: String = Self.xml) throws -> Tool {
    let tool = try Tool()
    let folder = tool.folder + "/Notes.xcdatamodeld/Notes.xcdatamodel"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try tool.write(xml, to: "Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    return tool
  }

  @Test("S9.1 model prints what the file says") func modelPrintsWhatTheFileSays() throws {
    let tool = try tool()
    defer { tool.remove() }
    let shown = try tool.runCoreData(["model", "Notes.xcdatamodeld"])
    #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
    for line in [
      "model Notes.xcdatamodeld\nversions: Notes (current)\nidentifiers: v2\nentities: 3\n",
      "\nentity Note, class .Note, unique (title), index byCreated (created descending)\n",
      "created   Date                  required, default 0.0 s since 2001\n", "was name\n",
      "words     ordered to many Word  inverse note, delete cascade\n", "\n  abstract entity Page, parent Note\n",
      "note      to one Note  inverse words, delete nullify\n", "\nconfiguration Words: Word\n",
      "\nfetch request Titled: Note where title == $TITLE limit 5\n",
    ] {
      #expect(shown.output.contains(line), "\(line)\n\(shown.output)")
    }
  }

  @Test("S9.1 model prints JSON") func modelPrintsJSON() throws {
    let tool = try tool()
    defer { tool.remove() }
    let shown = try tool.runCoreData(["model", "Notes.xcdatamodeld", "--json", "--model-version", "Notes"])
    #expect(shown.status == 0)
    let document = try #require(JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
    #expect(
      (document["entities"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["Note", "Page", "Word"])
    #expect(document["currentVersion"] as? String == "Notes")
  }

  @Test("S9.3 model says what is wrong, with its line") func modelSaysWhatIsWrong() throws {
    let tool = try tool("<model>\n<entity name=\"A\" parentEntity=\"B\"/>\n<entity/>\n</model>")
    defer { tool.remove() }
    let broken = try tool.runCoreData(["model", "Notes.xcdatamodeld"])
    let path = "Notes.xcdatamodeld/Notes.xcdatamodel/contents"
    #expect(broken.status == 64 && broken.output.isEmpty)
    #expect(
      broken.errors
        == "\(path):2: A: there is no entity B to be its parent\n\(path):3: an entity has no name\n")
    let missing = try tool.runCoreData(["model", "Nowhere.xcdatamodeld"])
    #expect(missing.status == 64 && missing.errors == "Nowhere.xcdatamodeld: there is no such file or folder\n")
    let version = try tool.runCoreData(["model", "Notes.xcdatamodeld", "--model-version", "2"])
    #expect(version.status == 64 && version.errors.contains("has no version 2; there are Notes"))
  }

  @Test("S9.3 model warns of what it leaves out") func modelWarns() throws {
    let tool = try tool("<model><entity name=\"A\"><attribute name=\"a\"/><novelty/></entity></model>")
    defer { tool.remove() }
    let shown = try tool.runCoreData(["model", "Notes.xcdatamodeld"])
    #expect(shown.status == 0 && shown.output.contains("a         undefined  required, transient\n"))
    #expect(shown.errors.contains("warning: ") && shown.errors.contains("A.a: has no attributeType, and is not stored"))
    #expect(shown.errors.contains("A: <novelty> is not understood, and left out"))
  }
}
