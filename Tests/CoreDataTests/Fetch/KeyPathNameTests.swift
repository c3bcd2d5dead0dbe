import CoreData
import Foundation
import Testing

private typealias NSExpression = CoreData.NSExpression

/// As query builders ask.
private func name(_ path: AnyKeyPath) -> String? { path._kvcKeyPathString }

extension PartialKeyPath where Root: NSManagedObject {
  fileprivate var key: String? { _kvcKeyPathString }
}

extension KeyPath where Root: NSManagedObject {
  fileprivate func equals(_ value: Any) -> NSPredicate {
    NSComparisonPredicateOf.equal((self as AnyKeyPath)._kvcKeyPathString ?? "", value)
  }
}

private enum NSComparisonPredicateOf {
  static func equal(_ key: String, _ value: Any) -> NSPredicate {
    NSPredicate(format: "%K == %@", argumentArray: [key, value])
  }
}

@Suite struct KeyPathNameTests {
  // S2.6
  @Test func aKeyPathToPropertiesHasTheirNames() throws {
    let stack = try TestStack()
    try stack.seed(1...3, words: ["a"])
    defer { withExtendedLifetime(stack) {} }
    #expect(name(\Note.title) == "title")
    #expect(name(\Note.number) == "number")
    #expect(name(\Word.note) == "note")
    #expect(name(\Note.words) == "words")
    #expect(name(\Word.note?.title) == "note.title")
    #expect((\Note.title as PartialKeyPath<Note>).key == "title")
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes((\Note.title).equals("note 2"))
      #expect(notes.map(\.number) == [2])
    }
  }

  // S2.6, S7.1
  @Test func aSortDescriptorHasItsKey() throws {
    let stack = try TestStack()
    defer { withExtendedLifetime(stack) {} }
    let descriptor = NSSortDescriptor(keyPath: \Note.title, ascending: false)
    #expect(descriptor.key == "title" && descriptor.description == "(title, descending, compare:)")
    #expect(NSSortDescriptor(keyPath: \Word.note?.number, ascending: true).key == "note.number")
  }

  // S2.6: a key path that the plugin lists needs no model.
  @Test func aListedKeyPathHasItsName() {
    #expect(name(\Loose.text) == "text" && name(\Loose.other) == nil)
    #expect(NSExpression(forKeyPath: \Loose.text).keyPath == "text")
  }

  // S2.6
  @Test func whatIsNoPropertyHasNone() throws {
    let stack = try TestStack()
    defer { withExtendedLifetime(stack) {} }
    #expect(name(\Note.description.count) == nil)
    #expect(name(\String.count) == nil)
    #expect(name(\Leaflet.hash) == nil, "no model in use has the class")
  }
}
