import RowStore

/// How a container opens one store.
///
/// - SeeAlso: Apple, "NSPersistentStoreDescription".
open nonisolated class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The type: `NSSQLiteStoreType`, or `NSInMemoryStoreType`.
  open var type = NSSQLiteStoreType
  /// The model's configuration with the store's entities; all of the model with nil.
  open var configuration: String?
  /// The file; not needed in memory. A SQLite store at `/dev/null` is in memory too.
  open var url: URL?
  /// Whether the store is opened on another thread, so that `loadPersistentStores` returns before it is there.
  open var shouldAddStoreAsynchronously = false

  /// Every option.
  open private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
    NSInferMappingModelAutomaticallyOption: true as NSNumber,
  ]

  /// Describes a SQLite store at `/dev/null`, which is empty and in memory.
  public convenience override init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// Describes a SQLite store in the file `url`.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// Whether saves are refused; false by default.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { options[NSReadOnlyPersistentStoreOption] = newValue as NSNumber }
  }

  /// Seconds to wait for another process's lock on the file before an error; 240 as on Apple's systems.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? StoreOptions.defaultTimeout }
    set { options[NSPersistentStoreTimeoutOption] = newValue as NSNumber }
  }

  /// Whether a store that does not fit the model is to be migrated; true by default. Migration is not available yet: such a
  /// store is refused with 134130 and the differences, and with false with 134100.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { options[NSMigratePersistentStoresAutomaticallyOption] = newValue as NSNumber }
  }

  /// Whether a mapping is to be inferred where a store is migrated; true by default, without effect yet.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { options[NSInferMappingModelAutomaticallyOption] = newValue as NSNumber }
  }

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  /// Sets an option, or with nil takes it out.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Sets a pragma of SQLite, such as "FULL" for "synchronous".
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    options[NSSQLitePragmasOption] = pragmas.isEmpty ? nil : pragmas as NSDictionary
  }

  /// The pragmas set.
  open var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
  }

  /// The options as a store takes them.
  final var storeOptions: [AnyHashable: Any] { options }

  /// A description of the same, to be changed independently.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    (copy.type, copy.configuration, copy.url, copy.options) = (type, configuration, url, options)
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    return copy
  }

  /// Two descriptions are equal when they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return type == other.type && configuration == other.configuration && url == other.url
      && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously && options == other.options
  }

  open override var hash: Int { url?.hashValue ?? 0 }

  open override var description: String {
    "<NSPersistentStoreDescription: \(type), \(url?.absoluteString ?? "no URL")>"
  }
}
