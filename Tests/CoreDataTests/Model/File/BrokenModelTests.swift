import Testing

@testable import CoreData

/// A broken model is an error that says where, and everything at once.
struct BrokenModelTests {
  private static func problems(_ xml: String) -> [String] {
    do throws(ModelFileError) {
      _ = try NSManagedObjectModel(xml: Data(xml.utf8), path: "m")
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test(
    "S9.3 a default that is no value of its type is coerced, or left out, with a warning",
    arguments: [
      ("Integer 16", "NO", "0"), ("Integer 64", "YES", "1"), ("Integer 16", "70000", "32767"),
      ("Integer 32", "2.9", "2"),
      ("Boolean", "0.0", "false"), ("Boolean", "2", "true"), ("Double", "NO", "0.0"), ("Decimal", "YES", "1"),
      ("UUID", "no-uuid", nil), ("Integer 32", "many", nil), ("Boolean", "maybe", nil), ("Double", "nan", nil),
    ] as [(String, String, String?)])
  func unfitDefaults(type: String, text: String, value: String?) throws {
    let model = try ModelReadingTests.model(
      "<entity name=\"A\"><attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/></entity>")
    let attribute = try #require(model.entitiesByName["A"]?.attributesByName["a"])
    if type != "Double" || text != "nan" {
      #expect(attribute.defaultValue.map { "\($0)" } == value)
      #expect(model.fileWarnings.map(\.message).filter { $0.contains("defaultValueString is \"\(text)\"") }.count == 1)
    }
    _ = try model.freeze()
  }

  @Test(
    "S9.3 XML that breaks off is an error with its line",
    arguments: [
      ("", "m:1: is empty"), ("  \n ", "m:1: is empty"), ("<model>\n<a>\n</b></model>", "m:3: an end tag"),
      ("<model>\n<entity", "m:2: the XML ends"), ("<model>\n\n", "m:"), ("<model/>\n<model/>", "m:2: the XML ends"),
      ("<model>\n<a x='1' x='2'/></model>", "m:2: an element has an attribute twice"),
      ("<model x='a&b'/>", "m:1: an & begins"), ("<model>\n<a x=1/></model>", "m:2: an attribute's value"),
      ("<model x='<'/>", "m:1: an attribute's value has a <"), ("<model>\u{1}</model>", "m:1: has a character"),
      ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><model/>", "m:1: names the encoding UTF-16"),
      ("<!DOCTYPE m [<!ENTITY a \"b\">]>\n<model/>", "m:1: has a document type"),
      ("<?xml?>\n<model/>", "m:1: has an empty processing instruction"),
      ("<?xml version=\"1.0\"?>\n<?x?><model/>", "m:2: has an empty processing instruction"),
      ("<?xml version=\"1.0\" encoding='UTF-7'?>\n+ADw-?x?+AD4-<model/>", "m:1: names the encoding UTF-7"),
      ("\n<?xml version=\"1.0\"?>\n<!DOCTYPE m SYSTEM \"file:///etc/passwd\"><model/>", "m:3: has a document type"),
      ("bplist00", "m: is no keyed archive"), ("<html/>", "m:1: the outermost element is <html>"),
      ("text", "m:1: is no XML"),
    ])
  func brokenXML(xml: String, words: String) {
    let problems = Self.problems(xml)
    #expect(problems.count == 1 && problems[0].hasPrefix(words), "\(problems)")
  }

  @Test("S9.3 bytes that are no UTF-8 are an error with their line") func noUTF8() {
    do throws(ModelFileError) {
      _ = try NSManagedObjectModel(xml: Data("<model>\n<a b='".utf8) + [0xFF] + Data("'/></model>".utf8), path: "m")
      Issue.record("it was read")
    } catch {
      #expect(error.description == "m:2: is not UTF-8 text")
    }
  }

  @Test("S9.3 depth is bounded") func depth() {
    let depth = ModelXMLReader.depthMax + 1
    let problems = Self.problems(
      String(repeating: "<model>", count: depth) + String(repeating: "</model>", count: depth))
    #expect(problems == ["m:1: has elements nested more than \(ModelXMLReader.depthMax) deep"])
  }

  @Test(
    "S9.3 what does not fit together is said with its line",
    arguments: [
      ("<entity/>", "an entity has no name"),
      ("<entity name='A b'/>", "an entity is called \"A b\"; letters, digits and _, the first no digit"),
      (
        "<entity name='A'><attribute name='1a' attributeType='String'/></entity>",
        "A: attribute is called \"1a\"; letters, digits and _, the first no digit"
      ),
      ("<entity name='A'/><entity name='A'/>", "the entity A is declared twice"),
      ("<entity name='A' parentEntity='B'/>", "A: there is no entity B to be its parent"),
      ("<entity name='A' parentEntity='A'/>", "A: inherits from itself"),
      ("<entity name='A' isAbstract='MAYBE'/>", "isAbstract is \"MAYBE\"; YES or NO"),
      ("<entity name='A'><attribute/></entity>", "A: attribute has no name"),
      (
        "<entity name='A'><attribute name='a' attributeType='Int'/></entity>",
        "A.a: attributeType is \"Int\", which is no type"
      ),
      (
        "<entity name='A'><attribute name='a' attributeType='String'/><relationship name='a' destinationEntity='A'/></entity>",
        "A.a: the name is taken by another property"
      ),
      (
        "<entity name='A'><attribute name='a' attributeType='Date' defaultDateTimeInterval='noon'/></entity>",
        "A.a: defaultDateTimeInterval is \"noon\"; seconds since 2001-01-01 00:00 UTC"
      ),
      (
        "<entity name='A'><attribute name='a' attributeType='String' regularExpressionString='('/></entity>",
        "A.a: regularExpressionString is no regular expression"
      ),
      (
        "<entity name='A'><attribute name='a' attributeType='String' minValueString='x'/></entity>",
        "minValueString is \"x\"; a number from 0"
      ),
      (
        "<entity name='A'><attribute name='a' attributeType='String' derived='YES'/></entity>",
        "A.a: a derived attribute needs a derivationExpression"
      ),
      (
        "<entity name='A'><attribute name='a' attributeType='Composite'/></entity>",
        "A.a: says no composite of the model that it is made of"
      ),
      ("<entity name='A'><relationship name='r'/></entity>", "A.r: has no destinationEntity"),
      (
        "<entity name='A'><relationship name='r' destinationEntity='B'/></entity>",
        "A.r: there is no entity B to be its destination"
      ),
      (
        "<entity name='A'><relationship name='r' destinationEntity='A' inverseName='s'/></entity>",
        "A.r: its inverse A.s is not there"
      ),
      (
        "<entity name='A'><relationship name='r' destinationEntity='A' deletionRule='Burn'/></entity>",
        "A.r: deletionRule is \"Burn\"; Nullify, Cascade, Deny or No Action"
      ),
      (
        "<entity name='A'><relationship name='r' toMany='YES' minCount='3' maxCount='2' destinationEntity='A'/></entity>",
        "A.r: minCount is greater than maxCount"
      ),
      ("<entity name='A'><fetchedProperty name='f'/></entity>", "A.f: a fetched property needs a fetchRequest"),
      (
        "<entity name='A'><uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint>"
          + "</uniquenessConstraints></entity>", "A: uniquenessConstraint: x is no property of the entity"
      ),
      (
        "<entity name='A'><attribute name='a' attributeType='String'/><fetchIndex name='i'>"
          + "<fetchIndexElement property='a.x'/></fetchIndex></entity>",
        "A: fetchIndex i: a.x is no property of the entity"
      ),
      (
        "<entity name='A'><fetchIndex name='i'><fetchIndexElement property='x'/></fetchIndex></entity>",
        "A: fetchIndex i: x is no property of the entity"
      ),
      ("<configuration name='C'><memberEntity name='X'/></configuration>", "configuration C: there is no entity X"),
      ("<fetchRequest name='F' entity='X'/>", "fetchRequest F: there is no entity X to fetch"),
    ])
  func semantics(elements: String, message: String) {
    #expect(Self.problems("<model>\n\n\(elements)</model>") == ["m:3: " + message])
  }

  @Test("S9.3 all problems are reported at once, by line") func everyProblem() {
    let problems = Self.problems(
      """
      <model>
        <entity name="A" parentEntity="B">
          <attribute name="a" attributeType="String" optional="PERHAPS"/>
          <relationship name="r" maxCount="1" destinationEntity="C" inverseName="s" inverseEntity="C"/>
          <relationship name="t" maxCount="1" destinationEntity="C" inverseName="s" inverseEntity="C"/>
        </entity>
        <entity name="C">
          <relationship name="s" maxCount="1" destinationEntity="A" inverseName="r" inverseEntity="A"/>
        </entity>
        <fetchRequest name="F" entity="A" predicateString="a ==="/>
      </model>
      """)
    #expect(problems.count == 3, "\(problems)")
    #expect(problems.map { $0.prefix(4) } == ["m:2:", "m:3:", "m:10"])
    #expect(problems[2].contains("predicateString"))
  }

  @Test("S9.3 a composite made of itself ends") func recursiveComposite() {
    let problems = Self.problems(
      """
      <model><entity name="A"><attribute name="a" attributeType="Composite" compositeName="X"/></entity>
      <composite name="X"><attribute name="x" attributeType="Composite" compositeName="X"/></composite></model>
      """)
    #expect(problems.contains { $0.contains("the composite X is made of itself") })
  }
}
