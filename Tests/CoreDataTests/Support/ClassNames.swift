@testable import CoreData

/// The build-tool plugin's output for renamed classes, and for keys that key-value coding finds by name.
final class _CoreDataClassNames: _ManagedClassNames {
  override class var classes: [String: AnyClass] {
    ["CBRenamed": LookedUpByAnotherName.self, "CBReverser": NamedReverser.self]
  }

  override class var properties: [_KeyedProperty] {
    [
      _KeyedProperty("title", \Leaf.title), _KeyedProperty("initial", \Leaf.initial),
      _KeyedProperty("rank", \Leaf.rank),
      _KeyedProperty("colour", \Leaf.colour), _KeyedProperty("title", \LoudLeaf.title),
      _KeyedProperty("rank", \LoudLeaf.loudRank),
    ]
  }

  override class var keyPaths: [AnyKeyPath: String] { [\Loose.text: "text"] }

  override class var validators: [_KeyedValidator] {
    [_KeyedValidator("title", Leaf.self) { try $0.validateTitle($1) }]
  }
}

/// Has another name in models: `CBRenamed`.
final class LookedUpByAnotherName: NSManagedObject {}

/// A class that no model has; `_CoreDataClassNames` lists one of its properties, as generated code does.
final class Loose: NSManagedObject {
  private static let key = _PropertyKey("text")

  var text: String? { _string(Self.key) }
  var other: String? { text }
}
