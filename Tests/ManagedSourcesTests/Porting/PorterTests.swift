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
    ("import CoreData.NSManagedObject\nimport Foundation.NSDate", "import CoreData\nimport Foundation"),
    ("@preconcurrency import CoreData.CoreDataDefines // x", "@preconcurrency import CoreData // x"),
    (
      "let r = T.fetchRequest() as! NSFetchRequest<T>",
      "let r = NSFetchRequest<T>(entityName: T.entity().name ?? \"\")"
    ),
    (
      "f(Model.Note.fetchRequest() as! NSFetchRequest<Model.Note>)",
      "f(NSFetchRequest<Model.Note>(entityName: Model.Note.entity().name ?? \"\"))"
    ),
    // Left alone.
    ("let codes = [NSPersistentHistoryTokenExpiredError]", "let codes = [NSPersistentHistoryTokenExpiredError]"),
    (
      "import class CoreData.NSManagedObject\nimport struct Foundation.Date",
      "import class CoreData.NSManagedObject\nimport struct Foundation.Date"
    ),
    (
      "#if canImport(UIKit)\nimport UIKit\n@objc class A {}\n#elseif os(Linux)\n#else\nimport AppKit\n#endif",
      "#if canImport(UIKit)\nimport UIKit\n@objc class A {}\n#elseif os(Linux)\n#else\nimport AppKit\n#endif"
    ),
    (
      "#if os(iOS) || !canImport(Foundation)\n@objc class A {}\n#elseif DEBUG\n@objc class B {}\n#else\n@objc class C {}\n#endif",
      "#if os(iOS) || !canImport(Foundation)\n@objc class A {}\n#elseif DEBUG\n/*@objc*/ class B {}\n#else\n/*@objc*/ class C {}\n#endif"
    ),
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
    ("import CoreData\nimport UIKit", 2, "no module UIKit"), ("import os.log", 1, "no module os"),
    ("#if DEBUG && !os(iOS)\nimport Combine\n#endif", 2, "no module Combine"),
    ("var o: NSKeyValueObservation?", 1, "NSKeyValueObservation"),
    ("let container = NSPersistentCloudKitContainer(name: n)", 1, "no NSPersistentCloudKitContainer"),
    ("class P: NSEntityMigrationPolicy {}", 1, "no NSEntityMigrationPolicy"),
    ("note.publisher(for: \\.title)", 1, "publisher(for:)"),
    ("let r = make().fetchRequest() as! NSFetchRequest<T>", 1, "fetch requests of different results"),
  ])
  func whatIsLeftToDoByHandIsSaid(source: String, line: Int, word: String) {
    let problems = Porter.port(source, path: "A.swift").problems
    #expect(problems.count == 1 && problems.first?.line == line, "\(problems)")
    #expect(problems.first?.message.contains(word) == true, "\(problems)")
  }

  /// Files that are compiled together.
  private func problems(_ files: [String: String], entities: [ModelEntity] = []) -> [String] {
    let sources = files.sorted { $0.key < $1.key }.map { SwiftSource(path: $0.key, text: $0.value) }
    let module = PortedModule(sources, entities: entities)
    return sources.flatMap {
      Porter.port($0.text(0..<$0.bytes.count), path: $0.path, in: module).problems.map(\.description)
    }
  }

  @Test func anOverrideOfWhatAnExtensionDeclaresIsNamed() {
    let base = """
      class Note: NSManagedObject { var inside: Int { 1 } }
      extension Note { @NSManaged public var title: String?; func f(_ a: Int, b: Int) {}; func g() {} }
      """
    let found = problems([
      "Base.swift": base,
      "Sub.swift": """
      class Memo: Note {}
      class Loud: Memo {
        override var inside: Int { 2 }
        override var title: String? { get { nil } set {} }
        override func f(_ a: Int, b: Int) {}
        override func f(_ a: Int, c: Int) {}
        override func awakeFromInsert() {}
      }
      """,
    ])
    #expect(found.count == 2, "\(found)")
    #expect(found.first?.hasPrefix("Sub.swift:4: title is declared in an extension of Note (Base.swift:2)") == true)
    #expect(found.last?.hasPrefix("Sub.swift:5: f(_:b:) is declared in an extension of Note") == true)
  }

  @Test func anOverrideOfWhatAModelGeneratesIsNamed() throws {
    let model = """
      <model><entity name="Note" representedClassName="Note" codeGenerationType="category"><attribute name="title" \
      attributeType="String"/></entity></model>
      """
    let source = "class Note: NSManagedObject {}\nclass Memo: Note { override var title: String? { nil } }"
    let found = problems(["A.swift": source], entities: try ModelEntity.read(Data(model.utf8), path: "contents"))
    #expect(
      found.count == 1 && found[0].contains("A.swift:2: title is declared in an extension of Note (the model)"),
      "\(found)")
    #expect(problems(["A.swift": source]).isEmpty)
  }

  @Test func whatKeyValueCodingCannotFindIsNamed() {
    let found = problems([
      "A.swift": """
      class Note: NSManagedObject {
        @objc private var section: String { "" }
        @objc var shown: String { "" }
        private var plain = 3
        @objc private func validateTitle(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      }
      class View { @objc private var title = "" }
      """
    ])
    #expect(found.map { $0.prefix(18) } == ["A.swift:2: section", "A.swift:5: validat"], "\(found)")
  }

  /// Types that Foundation has on Apple's systems, and CoreData has here.
  @Test func aFileThatImportsFoundationAloneImportsCoreData() {
    let text = "import Foundation // x\nimport Foundation\nlet e = NSExpression(forConstantValue: 1)\n"
    let files = [SwiftSource(path: "A.swift", text: text), SwiftSource(path: "B.swift", text: "import CoreData")]
    let file = Porter.port(text, path: "A.swift", in: PortedModule(files, entities: []))
    #expect(
      file.after
        == "import Foundation; import CoreData // x\nimport Foundation\nlet e = CoreData.NSExpression(forConstantValue: 1)\n"
    )
    #expect(file.problems.isEmpty)
    #expect(Porter.port(text, path: "A.swift", in: PortedModule([files[0]], entities: [])).isChanged == false)
    let plain = "import Foundation\nlet e = 3"
    #expect(Porter.port(plain, path: "A.swift", in: PortedModule(files, entities: [])).isChanged == false)
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

  @Test func anEditOfSeveralLinesKeepsTheNumbersOfThoseBehind() {
    let file = Porter.port("let a = #keyPath(\n  Note.title\n)\n@objc class Note {}\n", path: "A.swift")
    #expect(file.after == "let a = \"title\"\n\n\n/*@objc*/ class Note {}\n")
    #expect(file.difference.hasSuffix("+\n+/*@objc*/ class Note {}\n"), "\(file.difference)")
  }

  /// A file may end anywhere, such as behind a backslash in a string.
  @Test func aFileThatEndsInTheMiddleIsRead() {
    let text = """
      import class Foundation.NSExpression
      @objc(N) class N: NSObject, @unchecked P<[Int: (A) -> B]> { // x
        var a = "\\("\\\\" + #"\\#(b)"#)", c = #keyPath(N.a) /* /* */ */
        let r = r as! NSFetchRequest<X>, s = #selector(getter: N.a).description
        @NSManaged @objc(k) var k: Set<N>? { get }; @NSManaged func addToK(_ n: N, at: [Int]) -> (N) -> Void
        func f(_ x: `in`) throws { g(\"\"\"
          \\(x)
          \"\"\", /a\\//, #/b/#) }
      #if os(Linux) && !(canImport(UIKit) || true)
      #elseif x
      #endif
      }
      """
    for end in text.indices {
      let part = String(text[..<end])
      let file = Porter.port(part, path: "A.swift")
      #expect(file.after.count(where: \.isNewline) == part.count(where: \.isNewline), "\(part)")
      _ = AccessorWriter.file(for: ModelSource.sources(part))
    }
  }

  @Test func aFolderIsPortedFileByFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent(".build"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["B.swift", "A.swift", ".build/C.swift", "D.txt"] {
      try "@objc class A {}".write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    let files = try SourceFolder.port(folder.path).files
    #expect(files.map(\.path) == ["A.swift", "B.swift"].map { folder.path + "/" + $0 })
    for file in files { try SourceFolder.write(file) }
    let again = try SourceFolder.port(folder.path).files
    #expect(again.allSatisfy { !$0.isChanged })
    #expect(throws: SourceFolder.Unusable.self) { try SourceFolder.port(folder.path + "/missing") }
  }

  /// The generator finds the names that porting leaves in place of `@objc(Name)`.
  @Test func aPortedNameIsStillKnown() throws {
    var sources = ModuleSources(module: "M")
    let ported = Porter.port("@objc(CDNote)\n@objcMembers public class Note: NSManagedObject {}", path: "A.swift").after
    sources.add(SwiftSource(path: "A.swift", text: ported))
    #expect(sources.types.map(\.objectiveCName) == ["CDNote"])
  }
}
