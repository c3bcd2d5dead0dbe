/// A sort descriptor that knows its key; what `NSSortDescriptor(key:ascending:)` gives.
final class KeySortDescriptor: NSSortDescriptor {
  let keyName: String

  init(key: String, ascending: Bool) {
    keyName = key
    // Foundation's own comparison is never asked: the key is resolved in the entity that is fetched.
    super.init(keyPath: \NSManagedObject.layout.name, ascending: ascending)
  }

  required init?(coder: NSCoder) { nil }

  override func copy(with zone: NSZone?) -> Any { self }
}

// Foundation declares `init(key:ascending:)` unavailable on Linux; see `NSPredicate+Format.swift`.

/// What gives `NSSortDescriptor` its initialiser for keys.
public protocol _SortDescriptorFactory {}

extension NSSortDescriptor: _SortDescriptorFactory {}

extension _SortDescriptorFactory where Self: NSSortDescriptor {
  /// Sorts by the property at the end of a key path; nulls first when ascending, texts by code points.
  public init(key: String?, ascending: Bool) {
    self = KeySortDescriptor(key: key ?? "", ascending: ascending) as! Self
  }
}

extension NSSortDescriptor {
  /// The keys of the path the descriptor sorts by; nil when it is not known.
  ///
  /// A Swift key path tells its properties only in its description, `\Note.title`.
  var keys: [String]? {
    if let descriptor = self as? KeySortDescriptor { return descriptor.keyName.split(separator: ".").map(String.init) }
    let parts = "\(keyPath)".split(separator: ".").dropFirst()
    let names = parts.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "?!")) }.filter { !$0.isEmpty }
    return names.isEmpty || names.contains(where: { $0.contains("<") }) ? nil : names
  }
}
