import Scheduling
import Synchronization
import RowStore

/// A space of managed objects: one object per ID, their unsaved changes, and the queue they belong to.
///
/// Everything but ``perform(_:)``, ``performAndWait(_:)->_``, ``concurrencyType``, ``name``, ``parent`` and
/// ``persistentStoreCoordinator`` is to be used on the context's queue.
/// - SeeAlso: Apple, "NSManagedObjectContext".
open nonisolated class NSManagedObjectContext: NSObject, NSCoding, @unchecked Sendable {
  // Sendable: the queue protects everything else; what other threads may touch is behind a lock or set before use.

  /// Where the context's blocks run. Any thread.
  public final let concurrencyType: NSManagedObjectContextConcurrencyType
  final let queue: SerialQueue
  final let identity = ContextIdentity()

  /// Makes a context; a confined one belongs to the calling thread.
  public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
    concurrencyType = ct
    switch ct {
    case .mainQueueConcurrencyType: queue = .main
    case .privateQueueConcurrencyType: queue = SerialQueue(label: "private queue context")
    case .confinementConcurrencyType: queue = .confinedToCurrentThread(label: "confined context")
    }
    super.init()
    ContextHooks.tellNew(self)
  }

  /// Makes a context that is confined to the calling thread; deprecated by Apple, kept for code that predates queues.
  public convenience override init() { self.init(concurrencyType: .confinementConcurrencyType) }

  /// Makes a context of the given type; `init(concurrencyType:)` under Apple's newer name.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.concurrencyType) }

  /// Refuses: contexts are not archived here.
  public required init?(coder: NSCoder) { ArchiveRefusal.refuse("NSManagedObjectContext") }

  /// Ends the process: contexts are not archived here.
  open func encode(with coder: NSCoder) { ArchiveRefusal.refuse("NSManagedObjectContext") }

  deinit {
    undoing.stopObserving()
    if ContextWatch.isOn { ContextWatch.tellDropped(changes, of: self, by: "its end") }
    coordinator?.removeObserver(self)
    parentContext?.observers.remove(self)
    if parentContext != nil { tree.aliases.removeDescendant(self) }
    registry?.forgetContext()
    for object in registry?.objects.objects ?? [] { object.leaveContext() }
  }

  // MARK: Name

  /// The context's name, for messages. Any thread.
  open var name: String? {
    get { identity.name.withLock { $0 } }
    set {
      identity.name.withLock { $0 = newValue }
      guard let newValue, concurrencyType != .mainQueueConcurrencyType else { return }
      queue.rename(newValue)
    }
  }

  // MARK: Where objects come from

  @exclusivity(unchecked)
  private(set) final var coordinator: NSPersistentStoreCoordinator?
  @exclusivity(unchecked)
  private(set) final var parentContext: NSManagedObjectContext?
  @exclusivity(unchecked)
  final var reading = StoreReading()
  /// The identity map; nil until the context has a coordinator or a parent.
  @exclusivity(unchecked)
  private(set) final var registry: ObjectRegistry?
  /// ``registry`` without a reference counted.
  @inline(__always)
  final var registryReference: Unmanaged<ObjectRegistry>? { registry.map { .passUnretained($0) } }

  /// The coordinator of this context or of the root of its parents; set once, before use. Any thread.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { coordinator ?? parentContext?.persistentStoreCoordinator }
    set {
      precondition(parentContext == nil, "a child context saves to its parent; it has no coordinator of its own")
      guard newValue !== coordinator else { return }
      precondition(coordinator == nil, "the coordinator of a context is set once")
      guard let newValue else { return }
      coordinator = newValue
      registry = ObjectRegistry(
        context: self, model: newValue.managedObjectModel, identities: newValue.stores.identities)
      if automaticallyMergesChangesFromParent { newValue.addObserver(self) }
    }
  }

  /// The context this one's fetches, faults and saves go to; set once, before use. Any thread.
  open var parent: NSManagedObjectContext? {
    get { parentContext }
    set {
      precondition(coordinator == nil, "a context with a coordinator cannot have a parent")
      guard newValue !== parentContext else { return }
      precondition(parentContext == nil, "the parent of a context is set once")
      guard let newValue else { return }
      guard let model = newValue.model, let identities = newValue.registry?.identities else {
        preconditionFailure("\(newValue.label) has no coordinator yet; set it before its children")
      }
      precondition(
        newValue.concurrencyType != .confinementConcurrencyType,
        "a parent context needs a queue; \(newValue.label) is confined to a thread")
      parentContext = newValue
      registry = ObjectRegistry(context: self, model: model, identities: identities)
      tree = newValue.tree
      tree.aliases.addDescendant(self)
      if automaticallyMergesChangesFromParent { newValue.observers.add(self) }
    }
  }

  final var model: NSManagedObjectModel? { registry?.model }

  // MARK: Settings

  /// Resolves conflicts with rows that changed since they were read: an `NSMergePolicy`; the error policy by default.
  open var mergePolicy: Any = NSErrorMergePolicy {
    willSet {
      touchSetting("mergePolicy")
      precondition(newValue is NSMergePolicy, "a merge policy is an NSMergePolicy, not \(type(of: newValue))")
    }
  }

  /// Whether a fault without a row is marked deleted, with nil and zero values; otherwise firing it is fatal.
  open var shouldDeleteInaccessibleFaults = true {
    willSet { touchSetting("shouldDeleteInaccessibleFaults") }
  }

  /// How old a row of the coordinator's cache may be to fill a fault with, in seconds since it was read; negative, the
  /// default, for any age, 0 to ask the store each time.
  ///
  /// Objects that are realised keep their values, and a child's faults are filled from its parent.
  @exclusivity(unchecked)
  open var stalenessInterval: TimeInterval = -1 {
    willSet { touchSetting("stalenessInterval") }
  }

  /// Whether the context keeps every object alive that it knows; false by default. On the context's queue.
  open var retainsRegisteredObjects = false {
    willSet { touchSetting("retainsRegisteredObjects") }
    didSet { held.retainRegistered(retainsRegisteredObjects ? registry?.objects.objects ?? [] : nil) }
  }

  /// Asked when a fault without a row fires; true when the object is to be marked deleted, with nil and zero values, false when
  /// that is fatal. On the context's queue.
  ///
  /// The default is ``shouldDeleteInaccessibleFaults``.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }

  /// Whether saves of the coordinator's other contexts, or of the parent, are merged here by themselves; false by default.
  open var automaticallyMergesChangesFromParent = false {
    willSet { touchSetting("automaticallyMergesChangesFromParent") }
    didSet {
      guard automaticallyMergesChangesFromParent != oldValue else { return }
      if automaticallyMergesChangesFromParent {
        coordinator?.addObserver(self)
        parentContext?.observers.add(self)
      } else {
        coordinator?.removeObserver(self)
        parentContext?.observers.remove(self)
      }
    }
  }

  /// The author of this context's saves and batch requests, as the persistent history has it.
  open var transactionAuthor: String? {
    willSet { touchSetting("transactionAuthor") }
  }

  /// Whether delete rules are followed when changes are processed, as by default; else an event with deletions waits for the save.
  open var propagatesDeletesAtEndOfEvent = true {
    willSet { touchSetting("propagatesDeletesAtEndOfEvent") }
  }

  /// Anything the developer wants to keep with the context; on its queue.
  public final var userInfo: NSMutableDictionary {
    touch("userInfo")
    return identity.userInfo
  }

  // MARK: Undo (see Undo/)

  /// Records the changes of each event, so that they can be undone; nil, and so off, by default.
  ///
  /// Actions of this context are removed from a manager that is replaced.
  @exclusivity(unchecked)
  open var undoManager: UndoManager? {
    willSet { touchSetting("undoManager") }
    didSet {
      undoing.hasManager = undoManager != nil
      guard undoManager !== oldValue else { return }
      oldValue?.removeAllActions(withTarget: self)
      undoing.observe(undoManager, for: self)
    }
  }

  /// Whether there is an ``undoManager``, which a subclass may give in its own way.
  @inline(__always)
  final var hasUndoManager: Bool {
    type(of: self) == NSManagedObjectContext.self ? undoing.hasManager : undoManager != nil
  }

  @exclusivity(unchecked)
  final var undoing = Undoing()

  // MARK: Changes (see +Changes)

  @exclusivity(unchecked)
  final var changes = ChangeLists()
  @exclusivity(unchecked)
  final var saves = ContextSaves()
  @exclusivity(unchecked)
  final var turn = ContextTurn()
  /// Objects known beyond the identity map and the changes.
  @exclusivity(unchecked)
  final var held = HeldObjects()

  /// The fetched results controllers.
  final var trackers = ResultsTrackers()

  // MARK: Children and observers (see ParentAnswers, Arrivals)

  /// Contexts that merge this context's saves by themselves.
  final let observers = ContextObservers()
  /// Shared with the parent and all children.
  @exclusivity(unchecked)
  private(set) final var tree = ContextTree()
  /// Saves of others that wait to be merged here.
  final let inbox = Inbox()

  // MARK: Methods that subclasses may override (see ContextSave, ContextBlocks, +Fetch)

  /// Saves every unsaved change: to the store in one transaction, or one level up to the parent.
  ///
  /// Steps: delete rules, `NSManagedObjectContextWillSave`, `willSave` on the objects until nothing changes, validation,
  /// conflict check and write, permanent IDs, `didSave` on the objects, `NSManagedObjectContextDidSave`. Without changes
  /// the two notifications are posted, and nothing is written. On an error the store has none of the changes and the
  /// context still has all of them.
  ///
  /// - Throws: errors of `NSCocoaErrorDomain`: 1550–1680 validation (1560 for several), 132001 for a save inside a save,
  ///   133020 when rows changed since they were read and the merge policy does not resolve it, 134030 when the store
  ///   cannot be written, with SQLite's error beneath, or could not be read since the last ``reset()`` as a fault fired.
  /// - Complexity: O(*n*) statements for *n* changed objects, one commit.
  open func save() throws { try ContextSave(of: self).run() }

  /// Enqueues `block` on the context's queue and returns. Any thread.
  ///
  /// After the block its changes are processed.
  /// - Precondition: the context has a queue; a confined one has none.
  @preconcurrency
  open func perform(_ block: @escaping @Sendable () -> Void) { ContextBlocks(of: self).enqueue(block) }

  /// Runs `block` in the context's turn before it returns; the form with a value, or an error, does not call this one.
  open func performAndWait(_ block: () -> Void) { ContextBlocks(of: self).wait(for: block) }

  /// The results of a request; the form of a request with a type does not call this one.
  @_disfavoredOverload
  open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { try results(of: request) }

  // MARK: Confinement

  /// Its use, as others watch it. Any thread.
  package final let use = ContextUse()

  /// Notes a use off the context's queue, when that is looked for.
  @inline(__always)
  final func touch(_ member: @autoclosure () -> String) {
    if ConcurrencyDebugging.mayBeEnabled { ConcurrencyDebugging.check(member(), of: self) }
  }

  /// Notes a setting that is changed off the context's queue; the maker of a context may set it up before it is used.
  @inline(__always)
  final func touchSetting(_ name: @autoclosure () -> String) {
    if ConcurrencyDebugging.mayBeEnabled, use.wasChecked.load(ordering: .relaxed) {
      ConcurrencyDebugging.check(name(), of: self)
    }
  }

  open override var description: String { "<NSManagedObjectContext: \(label)>" }

  /// The name, or a description of a context without one.
  final var label: String {
    if let name { return name }
    return switch concurrencyType {
    case .mainQueueConcurrencyType: "main queue context"
    case .privateQueueConcurrencyType: "private queue context"
    case .confinementConcurrencyType: "confined context"
    }
  }
}
