import Testing

@testable import ManagedSources

/// Names as Swift 6.3.1 makes them.
struct ManglerTests {
  @Test(arguments: [
    ("class Note: NSManagedObject { @NSManaged var number: Int64 }", "$s5Model4NoteC6numbers5Int64Vv"),
    ("class Note: NSManagedObject {}; extension Note { @NSManaged var own: Note? }", "$s5Model4NoteC3ownACSgv"),
    // The property's words are the class's.
    (
      "enum Space { class NoteWord: NSManagedObject { @NSManaged var noteWord: NoteWord? } }",
      "$s5Model5SpaceO8NoteWordC04noteD0AESgv"
    ),
    ("class Note: NSManagedObject { @NSManaged var größe: Bool }", "$s5Model4NoteC009gre_GkaIiSbv"),
    ("class Note: NSManagedObject { @NSManaged var map: [String: String] }", "$s5Model4NoteC3mapSDyS2SGv"),
  ])
  func accessors(source: String, name: String) throws {
    let text = try AccessorWriter.file(for: ModelSource.sources(source)).get()
    #expect(text.contains("\"\(name)g\"") && text.contains("\"\(name)s\""), "\(text)")
  }

  @Test func privateNamesHaveTheDigestOfModuleAndFile() throws {
    let source = "class Note: NSManagedObject { @NSManaged private var flag: Bool }"
    let text = try AccessorWriter.file(for: ModelSource.sources(source, module: "Mod", path: "x/a.swift")).get()
    #expect(text.contains("\"$s3Mod4NoteC4flag33_746359BB2A0F008DFE241DDA14F71218LLSbvg\""), "\(text)")
  }

  @Test func methodsHaveTheirLabels() throws {
    let source = """
      class Word: NSManagedObject {
        @NSManaged func addToWords(_ value: Word)
        @NSManaged func insertIntoWords(_ value: Word, at idx: Int)
        @NSManaged func removeFromWords(at idx: Int)
        @NSManaged func replaceWords(at indexes: NSIndexSet, with values: [Word])
      }
      """
    let text = try AccessorWriter.file(for: ModelSource.sources(source)).get()
    for name in [
      "$s5Model4WordC10addToWordsyyACF", "$s5Model4WordC15insertIntoWords_2atyAC_SitF",
      "$s5Model4WordC15removeFromWords2atySi_tF",
      "$s5Model4WordC12replaceWords2at4withy10Foundation10NSIndexSetC_SayACGtF",
    ] {
      #expect(text.contains("\"\(name)\""), "\(name) in \(text)")
    }
  }

  @Test func anExtensionInAnotherModuleNamesIt() throws {
    let base = ModelSource.sources("public class Note: NSManagedObject {}", module: "Base")
    let own = ModelSource.sources("import Base\nextension Note { @NSManaged public var more: Bool }", module: "Own")
    let text = try AccessorWriter.file(for: own, dependencies: [base]).get()
    #expect(text.contains("\"$s4Base4NoteC3OwnE4moreSbvg\""), "\(text)")
  }
}
