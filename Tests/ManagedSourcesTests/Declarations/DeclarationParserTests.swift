import Testing

@testable import ManagedSources

struct DeclarationParserTests {
  private func names(_ source: String) -> [String] {
    ModelSource.sources(source).members.map { ($0.owner + [$0.name]).joined(separator: ".") }
  }

  @Test(arguments: [
    // Where a declaration may stand.
    ("class A: B { @NSManaged var x: Bool }", ["A.x"]),
    ("extension A { @NSManaged public var x: Bool }", ["A.x"]),
    ("extension M.A: P, Q where T == U { @NSManaged var x: Bool }", ["M.A.x"]),
    ("enum E { struct S { final class A: B { @NSManaged var x: Bool } } }", ["E.S.A.x"]),
    // How it may be written.
    ("class A { @NSManaged\n  // c\n  public /* d */ private(set)\n var x\n:\nBool }", ["A.x"]),
    ("class A { public @NSManaged dynamic var x: Bool; @NSManaged var y: [String: Int]? }", ["A.x", "A.y"]),
    ("class A { @available(*, deprecated, message: \"}\") @NSManaged var x: Bool }", ["A.x"]),
    ("class A { @NSManaged var x: Bool, y: Set<B>?, z: [C]! }", ["A.x", "A.y", "A.z"]),
    ("class A { @NSManaged var `in`: Bool }", ["A.in"]),
    ("class A { @objc(addXObject:) @NSManaged public func addToX(_ value: B) }", ["A.addToX"]),
    // No declarations.
    ("class A { // @NSManaged var x: Bool\n /* /* */ @NSManaged var y: Bool */ }", []),
    ("class A { let s = \"@NSManaged var x: Bool\"; let t = \"\"\"\n @NSManaged var y: Bool\n \"\"\" }", []),
    ("class A { let s = #\"\"@NSManaged var x: Bool\"#; var u: Bool }", []),
    ("class A { func f() { class B { @NSManaged var x: Bool } } }", []),
    ("protocol P { var x: Bool { get } }", []),
    // Texts that must not confuse the parser.
    ("class A { let s = \"\\(f(\"}\"))\"; var c: Int { g { \"{\" } }\n @NSManaged var x: Bool }", ["A.x"]),
    ("class A { class func f() -> B<C> { [] }\n class var v: Int { 1 }\n @NSManaged var x: Bool }", ["A.x"]),
    ("class A { let r = /[{\"]/\n let d = a / b / c\n @NSManaged var x: Bool }", ["A.x"]),
    ("class A { let r = #/ { \" /#; @NSManaged var x: Bool }", ["A.x"]),
    ("class A { enum K { case open, `class`, static(Int)\n case extension_ }\n @NSManaged var x: Bool }", ["A.x"]),
    ("class A { subscript(i: Int) -> Int { i }\n init() {}\n deinit { }\n @NSManaged var x: Bool }", ["A.x"]),
    ("class A { let t = B.self; let u = b.class\n @NSManaged var x: Bool }", ["A.x"]),
    ("#!/usr/bin/swift {\nclass A { @NSManaged var x: Bool }", ["A.x"]),
    ("let v = 1 < 2\nclass A<T: P<Q>>: B<T> { }\nclass C { @NSManaged var x: Bool }", ["C.x"]),
  ])
  func managedDeclarationsAreFound(source: String, expected: [String]) {
    #expect(names(source) == expected, "\(source)")
  }

  @Test func accessComesFromTheDeclarationItsExtensionAndItsClass() {
    let source = """
      public class A { @NSManaged public var a: Bool; @NSManaged var b: Bool; @NSManaged private var c: Bool }
      public extension A { @NSManaged var d: Bool; @NSManaged private(set) var e: Bool }
      private extension A { @NSManaged var f: Bool }
      """
    #expect(
      ModelSource.sources(source).members.map(\.access)
        == [.public, .internal, .private, .public, .public, .fileprivate])
  }

  @Test func linesAreThoseOfTheKeyword() {
    let source =
      "class A {\n\n  @NSManaged\n  public var x: Bool\n  let s = \"\"\"\n\n  \"\"\"\n  @NSManaged var y: Bool }"
    #expect(ModelSource.sources(source).members.map(\.place.line) == [4, 8])
  }
}
