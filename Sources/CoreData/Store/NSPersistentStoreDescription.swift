/// How a container opens one store.
///
/// - SeeAlso: Apple, "NSPersistentStoreDescription".
open class NSPersistentStoreDescription: NSObject {
  /// The type: `NSSQLiteStoreType`, or `NSInMemoryStoreType`.
  open var type = NSSQLiteStoreType
  /// The file; not needed in memory. A SQLite store at `/dev/null` is in memory too.
  open var url: URL?
  /// Whether the store is opened on another thread, so that `loadPersistentStores` returns before it is there.
  open var shouldAddStoreAsynchronously = false
  /// Whether saves are refused.
  open var isReadOnly: Bool {
    get { options[NSReadOnlyPersistentStoreOption] as? Bool ?? false }
    set { options[NSReadOnlyPersistentStoreOption] = newValue as NSNumber }
  }
  /// Seconds to wait for another process's lock on the file before an error; 240 as on Apple's systems.
  open var timeout: TimeInterval = 240

  /// Every option.
  open private(set) var options: [String: NSObject] = [:]

  /// Describes a SQLite store at `/dev/null`, which is empty and in memory.
  public convenience override init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// Describes a SQLite store in the file `url`.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// The options as a store takes them.
  final var storeOptions: [AnyHashable: Any] {
    var all: [AnyHashable: Any] = options
    all[StoreOptions.timeoutKey] = timeout
    return all
  }

  /// Sets an option, or with nil takes it out.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Sets a pragma of SQLite, such as "FULL" for "synchronous".
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    options[NSSQLitePragmasOption] = pragmas as NSDictionary
  }

  /// The pragmas set.
  open var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
  }
}
