import Foundation
import ManagedSources
import Testing

struct PorterTests {
  @Test(arguments: [
    (
      "@objc(Note)\npublic class Note: NSManagedObject {\n}", "/*@objc(Note)*/\npublic class Note: NSManagedObject {\n}"
    ),
    ("@objcMembers class A {}", "/*@objcMembers*/ class A {}"),
    (
      "  @objc(addWordsObject:)\n  @NSManaged public func addToWords(_ value: Word)",
      "  /*@objc(addWordsObject:)*/\n  @NSManaged public func addToWords(_ value: Word)"
    ),
    ("@objc enum K: Int16 { case a }", "/*@objc*/ enum K: Int16 { case a }"),
    ("let k = #keyPath(Note.author.name)", "let k = \"author.name\""),
    ("let k = #keyPath( Model.Note.`class` )", "let k = \"class\""),
    ("let k = #keyPath(title)", "let k = \"title\""),
    ("let k = \"\\(#keyPath(Note.title)) == %@\"", "let k = \"\\(\"title\") == %@\""),
    (
      "let k = \"\"\"\n\\(f(#keyPath(A.b), \"\\(#keyPath(A.c))\"))\n\"\"\"",
      "let k = \"\"\"\n\\(f(\"b\", \"\\(\"c\")\"))\n\"\"\""
    ),
    ("let k = NSStringFromSelector(#selector(getter: Note.title))", "let k = \"title\""),
    ("f(#selector(getter: title).description)", "f(\"title\")"),
    (
      "import CoreData\nimport Foundation\nlet e: NSExpression = Foo.NSExpression()",
      "import CoreData\nimport Foundation\nlet e: CoreData.NSExpression = Foo.NSExpression()"
    ),
    (
      "let d = NSBatchDeleteRequest(fetchRequest: r as! NSFetchRequest<NSFetchRequestResult>)",
      "let d = NSBatchDeleteRequest(fetchRequest: r)"
    ),
    // Left alone.
    ("import CoreData\nlet e: NSExpression", "import CoreData\nlet e: NSExpression"),
    (
      "class A { override func f() {} }\nextension A { func g() {} }",
      "class A { override func f() {} }\nextension A { func g() {} }"
    ),
    ("@nonobjc public class func f() {}", "@nonobjc public class func f() {}"),
    (
      "// @objc(Note)\nlet s = \"@objc #keyPath(A.b)\" /* @objc */",
      "// @objc(Note)\nlet s = \"@objc #keyPath(A.b)\" /* @objc */"
    ),
    ("/*@objc(Note)*/ class Note {}", "/*@objc(Note)*/ class Note {}"),
    (
      "#if canImport(ObjectiveC)\n@objc\n#else\n@objc\n#endif\n@objc class A {}",
      "#if canImport(ObjectiveC)\n@objc\n#else\n/*@objc*/\n#endif\n/*@objc*/ class A {}"
    ),
    ("\u{FEFF}@objc class Ä {}\r\n@objc var ö = 1\r\n", "\u{FEFF}/*@objc*/ class Ä {}\r\n/*@objc*/ var ö = 1\r\n"),
  ])
  func editsAreTheseAndNoOthers(before: String, after: String) {
    let file = Porter.port(before, path: "A.swift")
    #expect(file.after == after)
    #expect(file.problems.isEmpty)
    #expect(Porter.port(file.after, path: "A.swift").isChanged == false, "porting twice changes nothing")
  }

  @Test(arguments: [
    ("\nlet s = #selector(A.b(_:))", 2, "#selector"), ("class A {\n\n@objc dynamic var x = 1 }", 3, "dynamic"),
    ("let k = #keyPath(A.b[0])", 1, "#keyPath"), ("let s = \"a\n\\(#selector(A.b))\"", 2, "#selector"),
    ("extension A {\n  override func f() {}\n}", 2, "override in an extension"),
    ("note.observe(\\.title) { _, _ in }", 1, "observe"),
    ("note.addObserver(self, forKeyPath: \"title\", options: [], context: nil)", 1, "addObserver"),
    ("class func keyPathsForValuesAffectingTitle() -> Set<String> { [] }", 1, "keyPathsForValuesAffectingTitle"),
    ("let r = q as! NSFetchRequest<NSFetchRequestResult>", 1, "fetch requests of different results"),
    ("let s = #selector(getter: A.title)", 1, "\"title\""),
  ])
  func whatIsLeftToDoByHandIsSaid(source: String, line: Int, word: String) {
    let problems = Porter.port(source, path: "A.swift").problems
    #expect(problems.count == 1 && problems.first?.line == line, "\(problems)")
    #expect(problems.first?.message.contains(word) == true, "\(problems)")
  }

  @Test func theDifferenceNamesTheLines() {
    let file = Porter.port(
      "import CoreData\n\n@objc(A)\n@objcMembers\nclass A {\n  @objc func f() {}\n}\n", path: "M/A.swift")
    #expect(
      file.difference == """
        --- M/A.swift
        +++ M/A.swift
        @@ -3,2 +3,2 @@
        -@objc(A)
        -@objcMembers
        +/*@objc(A)*/
        +/*@objcMembers*/
        @@ -6 +6 @@
        -  @objc func f() {}
        +  /*@objc*/ func f() {}

        """)
  }

  @Test func aFolderIsPortedFileByFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent(".build"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["B.swift", "A.swift", ".build/C.swift", "D.txt"] {
      try "@objc class A {}".write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    let files = try SourceFolder.port(folder.path)
    #expect(files.map(\.path) == ["A.swift", "B.swift"].map { folder.path + "/" + $0 })
    for file in files { try SourceFolder.write(file) }
    #expect(try SourceFolder.port(folder.path).allSatisfy { !$0.isChanged })
    #expect(throws: SourceFolder.Unusable.self) { try SourceFolder.port(folder.path + "/missing") }
  }

  /// What porting leaves in place of `@objc(Name)` is what the generator looks for.
  @Test func aPortedNameIsStillKnown() throws {
    var sources = ModuleSources(module: "M")
    let ported = Porter.port("@objc(CDNote)\n@objcMembers public class Note: NSManagedObject {}", path: "A.swift").after
    sources.add(SwiftSource(path: "A.swift", text: ported))
    #expect(sources.types.map(\.objectiveCName) == ["CDNote"])
  }
}
