import RowStore

/// A model, a coordinator with its store, and the contexts of an app.
///
/// - SeeAlso: Apple, "NSPersistentContainer".
open nonisolated class NSPersistentContainer: NSObject, @unchecked Sendable {
  // Sendable: descriptions are set before the stores are loaded; everything else does not change.

  /// The container's name.
  public final let name: String
  /// The coordinator of every context of the container.
  public final let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The context of the main queue.
  open var viewContext: NSManagedObjectContext { mainContext }
  private let mainContext: NSManagedObjectContext
  /// The stores that ``loadPersistentStores(completionHandler:)`` opens; by default a file of the container's name in
  /// ``defaultDirectoryURL()``.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]

  /// Makes a container; no store is opened yet.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    mainContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    mainContext.name = "viewContext"
    mainContext.persistentStoreCoordinator = persistentStoreCoordinator
    persistentStoreDescriptions = [
      NSPersistentStoreDescription(
        // Whether it is a folder is not asked of the system.
        url: Self.defaultDirectoryURL().appendingPathComponent(name, isDirectory: false)
          .appendingPathExtension("sqlite"))
    ]
    super.init()
  }

  /// Makes a container with the model of that name; no store is opened yet.
  ///
  /// `NAME.xcdatamodeld` or `NAME.xcdatamodel` is looked for in the main bundle's resources, beside the executable, and in
  /// the `.resources` folders there.
  /// - Precondition: the model is found and sound; the message says where it was looked for, or every problem with its line.
  public convenience init(name: String) {
    do throws(ModelFileError) {
      self.init(name: name, managedObjectModel: try NSManagedObjectModel(reading: ModelLocator.find(name)))
    } catch {
      preconditionFailure("Failed to load the model named \(name):\n\(error)")
    }
  }

  /// Where stores lie by default: the user's application support folder.
  open class func defaultDirectoryURL() -> URL { applicationSupport }

  /// Looked for once: each container asks for it, and Foundation reads the user's settings each time.
  private static let applicationSupport =
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    ?? URL(fileURLWithPath: NSHomeDirectory())

  /// The model.
  open var managedObjectModel: NSManagedObjectModel { persistentStoreCoordinator.managedObjectModel }

  /// Opens the stores described and calls `block` once for each, with its error or nil.
  ///
  /// On the calling thread before it returns, or, for a store described as asynchronous, on the main queue later.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// A new private queue context on the coordinator. Any thread.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs `block` on the queue of a new private queue context. Any thread.
  @preconcurrency
  open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs `block` on the queue of a new private queue context; its value or error. Any thread.
  open func performBackgroundTask<Result>(
    _ block: @escaping (NSManagedObjectContext) throws -> Result
  ) async rethrows -> Result {
    let context = newBackgroundContext()
    // The caller waits for it, and does not use the captured values meanwhile.
    nonisolated(unsafe) let block = block
    return try await context.perform(schedule: .enqueued) { try block(context) }
  }
}
