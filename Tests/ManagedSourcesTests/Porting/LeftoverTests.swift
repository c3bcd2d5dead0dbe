import Foundation
import ManagedSources
import Testing

/// Code that porting cannot edit is named, with its line, under the kind that the summary counts.
struct LeftoverTests {
  private func problems(_ text: String, _ path: String = "A.swift") -> [SourceProblem] {
    Porter.port(text, path: path, in: PortedModule([SwiftSource(path: path, text: text)], entities: [])).problems
  }

  @Test(arguments: [
    ("@objc protocol P {\n  @objc optional func f()\n}", ["2 @objc optional"]),
    (
      "protocol P {\n  optional var x: Int { get }\n}\nfunc g(p: P) { p.x?.y; p.f?() }",
      ["2 @objc optional", "4 @objc optional"]
    ),
    ("import CoreData\n#if !os(Linux)\nlet a = 1\n#endif", ["2 left out by #if"]),
    ("#if os(macOS) || os(iOS)\nimport CoreData\n#endif", ["1 left out by #if"]),
    ("#if os(Linux)\n#else\nlet a = NSManagedObject.self\n#if os(iOS)\n#endif\n#endif", ["2 left out by #if"]),
    ("let a = NSClassFromString(\"Note\")", ["1 NSClassFromString"]),
    ("let a = Selector(\"x\")\nlet b: Selector?", ["1 Selector", "2 Selector"]),
    ("let a = NSSelectorFromString(\"x\")", ["1 Selector"]),
    ("let s: NSSet = [a]\nlet t: NSMutableSet? = []", ["1 NSSet literal", "2 NSSet literal"]),
    ("f([a] as NSSet)\nreturn [a, b[0]] as NSSet", ["1 NSSet literal", "2 NSSet literal"]),
    (
      "class N: NSManagedObject {\n@NSManaged var s: NSSet?\n@NSManaged func addToS(_ v: NSSet)\nfunc f() { s = [self]\naddToS([self]) } }\nn.s = []\nn.addToS([n])",
      ["4 NSSet literal", "5 NSSet literal", "6 NSSet literal", "7 NSSet literal"]
    ),
    (
      "class C: NSManagedObjectContext {\n override func reset() {}\n}",
      ["2 override in a subclass of NSManagedObjectContext"]
    ),
    (
      "class B: NSManagedObjectContext {}\nclass C: B {\n override var hasChanges: Bool { true }\n}",
      ["3 override in a subclass of NSManagedObjectContext"]
    ),
    ("if Thread.isMainThread {}\nif Thread.current.isMainThread {}", ["1 isMainThread", "2 isMainThread"]),
    ("private class A: NSObject {}\nlet a = NSStringFromClass(A.self)", ["2 NSStringFromClass"]),
    (
      "enum E { class A { func f() {\nNSStringFromClass(type(of: self)) } } }\nNSStringFromClass(E.A.self)",
      ["2 NSStringFromClass", "3 NSStringFromClass"]
    ),
    ("CFRunLoopRun()\nlet a = kCFAllocatorDefault", ["1 import CoreFoundation"]),
    ("let a = XMLParser(data: d)\nlet b: XMLNode", ["1 import FoundationXML"]),
    ("let a: [URLSessionTask]\nlet b = URLRequest(url: u)", ["1 import FoundationNetworking"]),
    ("let d = NSSortDescriptor(key: \"a\", ascending: true, comparator: c)", ["1 sort descriptor with a comparator"]),
    (
      "let d = NSSortDescriptor(keyPath: \\N.a, ascending: true) { _, _ in .orderedSame }",
      ["1 sort descriptor with a comparator"]
    ),
    (
      "let d = NSSortDescriptor(key: \"a\", ascending: true, selector: #selector(NSString.compare(_:)))",
      ["1 #selector"]
    ),
    ("fputs(\"a\", stderr)\nsetbuf(stdout, nil)", ["1 stderr", "2 stdout"]),
    (
      "extension NSPersistentContainer { static func f() -> Self { self.init(name: \"a\") } }",
      ["1 self.init of a metatype"]
    ),
    ("class C: NSObject { class func f() -> Self { if true { return Self() } } }", ["1 self.init of a metatype"]),
    ("class C: NSPredicate { func f() { type(of: self).init(value: true) } }", ["1 self.init of a metatype"]),
    (
      "objc_setAssociatedObject(a, &k, v, p)\nclass_getName(A.self)",
      ["1 Objective-C's runtime", "2 Objective-C's runtime"]
    ),
    (
      "let a = o.mutableSetValue(forKey: k) as! Set<N>\nlet b = o.mutableArrayValue(forKey: k) as [N]",
      ["1 cast of a mutable set", "2 cast of a mutable set"]
    ),
    ("throw NSException(name: n, reason: nil)", ["1 NSException"]),
    ("for await n in NotificationCenter.default.notifications(named: .x) {}", ["1 notifications"]),
    ("override func observeValue(forKeyPath p: String?) {}", ["1 observer of a key"]),
    ("o.removeObserver(self, forKeyPath: k)", ["1 observer of a key"]),
    ("FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: g)", ["1 containerURL"]),
    ("#if DEBUG\nlet c: NSManagedObject\n#endif", ["1 import CoreData"]),
  ])
  func eachKindIsNamedWithItsLine(text: String, kinds: [String]) {
    #expect(problems(text).map { "\($0.line) \($0.kind)" } == kinds)
  }

  @Test(arguments: [
    "protocol P { func optional(optional: Int) }\nclass A { var optional = 1; func f() { optional = 2 } }",
    "#if os(Linux)\nlet a = 1\n#endif\n#if canImport(ObjectiveC)\nlet b = NSManagedObject.self\n#endif",
    "#if !os(Linux) && canImport(UIKit)\nimport UIKit\n#endif\n#if os(iOS)\nlet a = 1\n#endif",
    "#if os(iOS)\nimport UIKit\nlet c: NSManagedObject\n#endif",
    "let s: NSArray = [a]\nlet t = a[0] as NSSet\nlet u: NSSet = NSSet(array: [a])\nlet v = f()[0] as NSSet",
    "class N: NSManagedObject { @NSManaged var s: NSSet? }\nstruct M { var s: [Int] }\nm.s = []",
    "import CoreData\nclass C: NSManagedObjectContext { override func save() throws {}; override var name: String? { nil } }",
    "class A: NSObject {}\nlet a = NSStringFromClass(A.self)\nlet b = NSStringFromClass(NSObject.self)",
    "import CoreData\nprivate class A: NSManagedObject {}\nlet a = NSStringFromClass(A.self)",
    "import CoreFoundation\nCFRunLoopRun()", "import FoundationXML\nlet a = XMLParser(data: d)",
    "class XMLElement {}\nlet a = XMLElement()\nstruct CFDataBox {}\nlet b = CFDataBox()",
    "let p = Process()\np.stderr = x\nf(stderr: 1)\nlet stderr = Pipe()\ng(stderr)",
    "import CoreData\nextension NSManagedObject { static func f() -> Self { self.init(context: c) } }",
    "class C: NSObject { required override init() {}; class func f() -> Self { self.init() } }",
    "final class C: NSObject { class func f() -> C { self.init() } }\nstruct S { static func f() -> S { self.init() } }",
    "class C: NSObject { convenience init(a: Int) { self.init() } }\nextension NSRange { static func f() -> Self { self.init() } }",
    "struct S { var isMainThread = true; func notifications(named: String) {} }\ns.notifications(named: n)",
    "let a = o.mutableSetValue(forKey: k) as NSSet\nlet b = o.value(forKey: k) as? Set<N>",
    "class NSException {}\nlet a = NSException()", "for d in [NSSortDescriptor(key: k, ascending: true)] {}",
  ])
  func whatLinuxTakesIsNot(text: String) {
    #expect(problems(text).isEmpty, "\(problems(text))")
  }

  // MARK: Edits

  @Test(arguments: [
    ("@objc protocol P {}", "/*@objc*/ protocol P: AnyObject {}"),
    ("@MainActor @objc(P) public protocol P {}", "@MainActor /*@objc(P)*/ public protocol P: AnyObject {}"),
    ("@objc protocol P: Q {}\nprotocol R {}", "/*@objc*/ protocol P: Q {}\nprotocol R {}"),
    ("@Entity @objc(CDA) class A {}", "@Entity @_objcRuntimeName(CDA) class A {}"),
    (
      "@objc(CDA)\n@Entity(x: 1)\npublic final class A {}",
      "@_objcRuntimeName(CDA)\n@Entity(x: 1)\npublic final class A {}"
    ),
    (
      "macro entity() = #e()\n@objc(B) @entity class A {}",
      "macro entity() = #e()\n@_objcRuntimeName(B) @entity class A {}"
    ),
    (
      "@MainActor @objc(A) class A { @objc(x) func f() {} }",
      "@MainActor /*@objc(A)*/ class A { /*@objc(x)*/ func f() {} }"
    ),
    ("@Entity class B {}\n@objc(A) class A {}", "@Entity class B {}\n/*@objc(A)*/ class A {}"),
    (
      "import Foundation\nlet v = Foundation.ValueTransformer(a)",
      "import Foundation\nlet v = CoreData.ValueTransformer(a)"
    ),
    ("import class Foundation.UndoManager", "import class CoreData.UndoManager"),
    ("import XCTest\nlet c: NSManagedObjectContext", "import XCTest; import CoreData\nlet c: NSManagedObjectContext"),
    ("// A\n\nextension NSFetchRequest {}", "// A\nimport CoreData\nextension NSFetchRequest {}"),
    ("extension NSFetchRequest {}", "import CoreData; extension NSFetchRequest {}"),
    (
      "#if DEBUG\nimport os\n#endif\nimport Foundation\nlet c: NSManagedObject",
      "#if DEBUG\nimport os\n#endif\nimport Foundation; import CoreData\nlet c: NSManagedObject"
    ),
    ("class NSManagedObject {}\nlet c: NSManagedObject", "class NSManagedObject {}\nlet c: NSManagedObject"),
    ("import Foundation\nf(.NSManagedObjectContextDidSave)", "import Foundation\nf(.NSManagedObjectContextDidSave)"),
    ("#if os(iOS)\nlet c: NSManagedObject\n#endif", "#if os(iOS)\nlet c: NSManagedObject\n#endif"),
  ])
  func editsAreMadeOnce(before: String, after: String) {
    func port(_ text: String) -> String {
      Porter.port(text, path: "A.swift", in: PortedModule([SwiftSource(path: "A.swift", text: text)], entities: []))
        .after
    }
    #expect(port(before) == after)
    #expect(port(after) == after)
  }

  /// A key path of Objective-C has Objective-C's names.
  @Test(arguments: [
    ("#keyPath(Thing._size)", "\"size\""), ("#keyPath(Thing._part._size)", "\"part.size\""),
    ("#keyPath(Thing.parts.done)", "\"parts.isDone\""), ("#keyPath(Other.done)", "\"done\""),
    ("NSStringFromSelector(#selector(getter: Thing._size))", "\"size\""),
  ])
  func aKeyPathHasTheNamesOfObjectiveC(path: String, string: String) {
    let text = """
      class Thing: NSManagedObject {
        @NSManaged @objc(size) private(set) var _size: String
        @NSManaged /*@objc(part)*/ var _part: Thing?
        @NSManaged var parts: Set<Thing>
        @objc(isDone) var done: Bool { true }
      }
      class Other { var done = true }
      let k = 
      """
    let ported = Porter.port(
      text + path, path: "A.swift", in: PortedModule([SwiftSource(path: "A.swift", text: text + path)], entities: []))
    #expect(ported.after.hasSuffix("let k = " + string) && ported.problems.isEmpty, "\(ported)")
    #expect(problems(text + "#keyPath(x.done)").map(\.kind) == ["#keyPath"])
  }

  /// The generator finds the class by the name that a macro reads.
  @Test func aNameBesideAMacroIsStillKnown() {
    var sources = ModuleSources(module: "M")
    sources.add(SwiftSource(path: "A.swift", text: "@Entity @_objcRuntimeName(CDNote) class Note: NSManagedObject {}"))
    #expect(sources.types.map(\.objectiveCName) == ["CDNote"])
  }

  // MARK: Tables

  private static let interface: [[Substring]] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../CoreDataTests/Interface/Interface.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.split(separator: " ") }
  }()

  @Test(arguments: PortedOverrides.closed.keys.sorted())
  func aClosedMemberIsOneThatTheInterfaceDoesNotOpen(name: String) {
    func members(_ access: String) -> Set<String> {
      Set(
        Self.interface.filter { $0[1] == access && ["method", "property"].contains($0[2]) }.map { String($0[0]) }
          .filter { $0.hasPrefix(name + ".") && $0.split(separator: "(")[0].split(separator: ".").count == 2 }
          .map { String($0.dropFirst(name.count + 1)) })
    }
    #expect(members("public").subtracting(members("open")).subtracting(["hash"]) == PortedOverrides.closed[name])
  }

  @Test func theNamesOfCoreDataAreKnown() {
    let ofFoundation: Set = [
      "NSComparisonPredicate", "NSExpression", "NSKeyValueSetMutationKind", "NSSecureUnarchiveFromDataTransformer",
      "NSStringFromClass(_:)", "NSUndoCloseGroupingRunLoopOrdering", "NSUndoManagerGroupIsDiscardableKey",
      "NSValueTransformerName",
    ]
    let names = Self.interface.map { String($0[0]) }.filter { $0.hasPrefix("NS") && !$0.contains(".") }
    #expect(names.count > 100)
    #expect(names.filter { !PortedImports.isOfCoreData($0) && !ofFoundation.contains($0) } == [])
  }
}
