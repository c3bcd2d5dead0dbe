import Testing

@testable import ManagedSources

struct AccessorWriterTests {
  /// Each with its line and a word of its message.
  @Test(arguments: [
    ("class N: NSManagedObject {\n  @NSManaged var a: Int64?\n}", 2, "Objective-C has no optional numbers"),
    ("class N: NSManagedObject {\n  @NSManaged var a: Missing?\n}", 2, "Missing is declared neither"),
    ("private class N: NSManagedObject {\n\n @NSManaged var a: Bool\n}", 3, "private to its file"),
    ("class N<T>: NSManagedObject { @NSManaged var a: Bool }", 1, "generic"),
    ("enum K: String { case a }\nclass N: NSManagedObject { @NSManaged var a: K }", 2, "integer as raw value"),
    ("enum K: Int16 { case a }\nclass N: NSManagedObject { @NSManaged var a: K? }", 2, "never optional"),
    ("class N: NSManagedObject { @NSManaged var a: () -> Void }", 1, "is no type"),
    ("class N: NSManagedObject { @NSManaged var a: (Int, Int) }", 1, "is no type"),
    ("class N: NSManagedObject { @NSManaged func doIt(_ n: N) }", 1, "no accessor of this form"),
    ("class N: NSManagedObject { @NSManaged var a: Bool = true }", 1, "has no value"),
    ("struct S { @NSManaged var a: Bool }", 1, "is no class"),
    ("protocol P {}\nclass N: NSManagedObject { @NSManaged var a: P? }", 2, "is a protocol"),
  ])
  func whatCannotBeDoneIsSaidWithItsLine(source: String, line: Int, words: String) {
    guard case .failure(let problems) = AccessorWriter.file(for: ModelSource.sources(source)) else {
      Issue.record("nothing was said of \(source)")
      return
    }
    #expect(problems.all.count == 1)
    #expect(problems.all.first?.line == line && problems.all.first?.path == "Sources/Model.swift")
    #expect(problems.description.contains(words), "\(problems)")
  }

  @Test func everyProblemIsReportedAtOnce() {
    let source =
      "class N: NSManagedObject {\n@NSManaged var a: Int?\n@NSManaged var b: Nowhere\n@NSManaged var c: Bool\n}"
    guard case .failure(let problems) = AccessorWriter.file(for: ModelSource.sources(source)) else {
      Issue.record("nothing was said")
      return
    }
    #expect(problems.all.map(\.line) == [2, 3])
  }

  @Test(arguments: [
    ("Int16", "Int16(truncatingIfNeeded: _integer("), ("Bool", "_bool("), ("Float", "Float(_double("),
    ("String?", "{\n    _string("), ("String", "?? \"\""), ("Date", "_required(_date("), ("NSNumber?", "_number("),
    ("Decimal?", "_decimal("), ("URL?", "_url("), ("NSDate?", "_bridgeToObjectiveC()"), ("Other?", "as: Other.self)"),
    ("Other", "_required(_toOne("), ("Set<Other>", "_toMany(_coreDataKey_a, of: Other.self)"),
    ("Set<Other>?", "newValue ?? []"), ("NSSet?", "_set("), ("NSOrderedSet?", "_orderedSet("),
    ("Kind", "Kind(rawValue: Int32("), ("[String]?", "_value(_coreDataKey_a, as: Array<String>.self)"),
  ])
  func eachTypeHasItsSupportFunction(type: String, call: String) throws {
    let source = """
      class Other: NSManagedObject {}
      enum Kind: Int32 { case a }
      class N: NSManagedObject { @NSManaged var a: \(type) }
      """
    let text = try AccessorWriter.file(for: ModelSource.sources(source)).get()
    #expect(text.contains(call), "\(text)")
  }

  // The names of Apple's accessors of stored values, and of those that Xcode made before Swift had names of its own.
  @Test(arguments: [
    ("@NSManaged var primitiveTitle: String?", "_primitive(_coreDataKey_primitiveTitle, as: String.self)"),
    ("@NSManaged var primitiveCount: Int64", "_primitive(_coreDataKey_primitiveCount, as: Int64.self) ?? 0"),
    ("@NSManaged var primitiveTitle: String?", "_setPrimitive(_coreDataKey_primitiveTitle, newValue)"),
    ("@NSManaged var primitive: String?", "_string(_coreDataKey_primitive)"),
    ("@NSManaged func addOthersObject(_ value: N)", "_add(value0, to: _coreDataKey_others)"),
    ("@NSManaged func removeOthers(_ values: NSSet)", "_remove(all: value0, from: _coreDataKey_others)"),
    ("@NSManaged func addOldObject(_ values: NSSet)", "_add(all: value0, to: _coreDataKey_oldObject)"),
  ])
  func otherNamesOfAccessorsAreKnown(declaration: String, call: String) throws {
    let source = "class N: NSManagedObject {\n@NSManaged var others: NSSet?\n\(declaration)\n}"
    let text = try AccessorWriter.file(for: ModelSource.sources(source)).get()
    #expect(text.contains(call), "\(text)")
  }

  /// `@objc(name)` names the model's property, wherever porting leaves it.
  @Test(arguments: ["@objc(size)", "/*@objc(size)*/"], ["private(set) var", "var"])
  func aPropertyIsFoundByItsNameForObjectiveC(attribute: String, keyword: String) throws {
    let source = """
      class N: NSManagedObject {
        @NSManaged \(attribute) \(keyword) _size: String
        \(attribute.replacing("size", with: "parts")) @NSManaged var _parts: Set<N>
        \(attribute.replacing("size", with: "addPartsObject:")) @NSManaged func take(_ n: N)
        \(attribute.replacing("size", with: "insertObject:inPartsAtIndex:")) @NSManaged func put(_ n: N, into place: Int)
        \(attribute.replacing("size", with: "replacePartsAtIndexes:withParts:")) @NSManaged func swap(_ i: NSIndexSet, for n: [N])
      }
      """
    let text = try AccessorWriter.file(for: ModelSource.sources(source)).get()
    for part in [
      "_PropertyKey(\"size\")", "_string(_coreDataKey_size)", "names[\\N.`_size`] = \"size\"",
      "_PropertyKey(\"parts\")",
      "_add(value0, to: _coreDataKey_parts)", "_insert(value0, into: _coreDataKey_parts, at: value1)",
      "_replace(in: _coreDataKey_parts, at: value0, with: value1)",
    ] {
      #expect(text.contains(part), "\(part) is not in \(text)")
    }
  }

  @Test func conditionsAreKept() throws {
    let source = """
      class N: NSManagedObject {
        #if A
          @NSManaged var a: Bool
        #elseif B || C
          @NSManaged var b: Bool
        #else
          @NSManaged var c: Bool
        #endif
        @NSManaged var d: Bool
      }
      """
    let members = ModelSource.sources(source).members
    #expect(members.map(\.place.conditions) == [["A"], ["!(A) && (B || C)"], ["!(A) && !(B || C)"], []])
  }

  @Test func importsOfTheDeclaringFilesAreRepeated() throws {
    let source =
      "public import CoreData // x\n@preconcurrency import Other\nclass N: NSManagedObject { @NSManaged var a: Bool }"
    let text = try AccessorWriter.file(for: ModelSource.sources(source)).get()
    #expect(text.contains("\npublic import CoreData\n@preconcurrency import Other\n\n"), "\(text)")
  }

  @Test func aModuleWithoutManagedDeclarationsGetsAnEmptyFile() throws {
    let text = try AccessorWriter.file(
      for: ModelSource.sources("class N: NSManagedObject {}\n// @NSManaged var a: Bool")
    ).get()
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("//") })
  }

  @Test func aRenamedClassIsListedUnderItsName() throws {
    let text = try AccessorWriter.file(
      for: ModelSource.sources(
        "/*@objc(CDNote)*/\npublic class Note: NSManagedObject {}\n/*@objc(Word)*/ class Word: NSManagedObject {}")
    ).get()
    #expect(text.contains("names[\"CDNote\"] = Note.self") && !text.contains("Word.self"), "\(text)")
  }

  /// The members that Objective-C finds by name, and no others.
  @Test func keyedMembersAreListed() throws {
    let text = try AccessorWriter.file(for: ModelSource.sources(ModelSource.text)).get()
    let entries = text.split(separator: "\n").filter {
      $0.contains("_KeyedProperty(") || $0.contains("_KeyedValidator(")
    }
    .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      entries.sorted()
        == [
          "all.append(_KeyedProperty(\"num\", \\FoundationThing.`num`))",
          "all.append(_KeyedProperty(\"section\", \\FoundationThing.`section`))",
          "all.append(_KeyedProperty(\"sel\", \\FoundationThing.`isSelected`))",
          "all.append(_KeyedProperty(\"default\", \\FoundationThing.`default`))",
          "all.append(_KeyedProperty(\"shown\", \\Exposed.`shown`))",
          "all.append(_KeyedProperty(\"isFresh\", \\NSManagedObject.`isFresh`))",
          "all.append(_KeyedValidator(\"num\", FoundationThing.self) { try $0.validateNum($1) })",
        ].sorted(),
      "\(entries.joined(separator: "\n"))")
    #expect(text.contains("    names[\\Space.NoteWord.`class`] = \"class\"\n") && !text.contains(".`kind2`] ="))
    #expect(text.contains("    names[\\FoundationThing.`isSelected`] = \"sel\"\n"))
    #expect(text.contains("names[\"RenamedThing\"] = Renamed.self"))
  }

  // The names that Foundation has as well are the module's own, unless it declares them itself.
  @Test(arguments: [
    ("let e: NSExpression", "public typealias NSExpression = CoreData.NSExpression", true),
    (
      "internal import CoreData\nclass A: NSManagedObject { @NSManaged var a: Bool; let e: NSExpression? }",
      "\ntypealias NSExpression", true
    ),
    ("typealias NSExpression = CoreData.NSExpression\nlet e: NSExpression", "typealias", false),
    ("let e = \"NSExpression\" // NSExpression", "typealias", false),
    ("let p: NSComparisonPredicate", "NSExpression", false),
  ])
  func ambiguousNamesHaveAliases(source: String, part: String, isThere: Bool) throws {
    let text = try AccessorWriter.file(for: ModelSource.sources(source)).get()
    #expect(text.contains(part) == isThere, "\(text)")
  }

  /// An open class's accessors must be found by subclasses in other modules.
  @Test func accessOfAccessorsIsThatOfTheProperty() throws {
    let source = """
      open class Open: NSManagedObject { @NSManaged var a: Bool }
      public class Shown: NSManagedObject { @NSManaged var b: Bool; @NSManaged public var c: Bool }
      class Hidden: NSManagedObject { @NSManaged public var d: Bool }
      """
    let text = try AccessorWriter.file(for: ModelSource.sources(source)).get()
    let isPublic = ["a", "b", "c", "d"].map { text.contains("nonisolated public final func _coreDataGet_\($0)(") }
    #expect(isPublic == [true, false, true, false])
  }
}
