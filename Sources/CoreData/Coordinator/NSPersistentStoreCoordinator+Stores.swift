import RowStore
import SQLite
import Scheduling

extension NSPersistentStoreCoordinator {
  /// Opens the store of that type at `storeURL`, or makes it; as ``addPersistentStore(ofType:configurationName:at:options:)``.
  @discardableResult
  public final func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// Opens the store described, in a folder that is made where it is missing, and calls `block` with its error or nil.
  ///
  /// On the calling thread before it returns, or, for a store described as asynchronous, on the main queue later.
  public final func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    guard storeDescription.shouldAddStoreAsynchronously else {
      return block(storeDescription, failure(toOpen: storeDescription))
    }
    // Sendable: the description is not changed once its store is being opened, and the handler is called once.
    nonisolated(unsafe) let (description, block) = (storeDescription, block)
    openings.async { [self] in
      let error = failure(toOpen: description)
      SerialQueue.main.async { block(description, error) }
    }
  }

  private final func failure(toOpen description: NSPersistentStoreDescription) -> (any Error)? {
    do {
      if let url = description.url, case .file = try StorePlace(type: description.type, url: url) {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      try addPersistentStore(
        ofType: description.type, configurationName: description.configuration, at: description.url,
        options: description.storeOptions)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Metadata

  /// The metadata of an open store.
  public final func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Changes the metadata of an open store; its next save writes it. UUID and type stay.
  public final func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }

  /// The metadata of the store in a file, without opening it for objects.
  ///
  /// - Throws: 134000 for a type that is in no file, 256 when the file cannot be opened, 259 when it is no store.
  public static func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreFile(type: storeType, url: url, options: options, mode: .readOnly).metadata()
  }

  /// The metadata of the store in a file, without opening it for objects.
  ///
  /// - Throws: as ``metadataForPersistentStore(ofType:at:options:)``.
  public static func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: storeURL, options: options)
  }

  /// Writes the metadata of the store in a file at once; UUID and type stay.
  ///
  /// - Throws: as ``metadataForPersistentStore(ofType:at:options:)``; 256 too when the file cannot be written.
  public static func setMetadata(
    _ metadata: [String: Any]?, ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFile(type: storeType, url: url, options: options, mode: .readWrite).setMetadata(metadata ?? [:])
  }

  /// Writes the metadata of the store in a file at once; ``setMetadata(_:ofType:at:options:)`` under Apple's older name.
  public static func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, ofType: storeType, at: url, options: options)
  }

  /// Writes the metadata of the store in a file at once; UUID and type stay.
  ///
  /// - Throws: as ``setMetadata(_:ofType:at:options:)``.
  public static func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, ofType: type.rawValue, at: storeURL, options: options)
  }
}
