/// Names that code for Apple's systems may use, and that Swift on Linux does not have.
enum PortedNames {
  /// Parts of Core Data.
  private static let coreDataPrefixes = [
    "NSCoreDataCoreSpotlight", "NSCustomMigration", "NSEntityMapping", "NSIncrementalStore", "NSLightweightMigration",
    "NSMigrationStage", "NSPersistentCloudKit", "NSPersistentStoreDeferred",
    "NSPersistentStoreFileProtection", "NSPersistentStoreModelVersionChecksum",
    "NSPersistentStoreStagedMigration", "NSPersistentStoreUbiquit", "NSPropertyMapping", "NSStagedMigration",
  ]

  private static let coreData: Set<String> = [
    "NSAtomicStore", "NSAtomicStoreCacheNode", "NSDiffableDataSourceSnapshotReference", "NSEntityMigrationPolicy",
    "NSIgnorePersistentStoreVersioningOption", "NSInferredMappingModelException", "NSManagedObjectModelReference",
    "NSMappingModel", "NSMigrationManager", "NSXMLStoreType",
  ]

  /// Parts of Foundation and of the modules it brings on Apple's systems.
  private static let foundationPrefixes = [
    "NSAppleEvent", "NSAppleScript", "NSFileProvider", "NSKeyValueChange", "NSKeyValueObserving", "NSMetadata",
    "NSUbiquitous",
    "NSUserNotification", "NSXPC",
  ]

  private static let foundation: Set<String> = [
    "DistributedNotificationCenter", "ListFormatter", "NSArchiver", "NSAssertionHandler",
    "NSBackgroundActivityScheduler",
    "NSDataDetector", "NSException", "NSExtensionContext", "NSFileCoordinator", "NSFilePresenter",
    "NSGetUncaughtExceptionHandler", "NSHashTable", "NSHost", "NSInvocation", "NSItemProvider", "NSLinguisticTagger",
    "NSMapTable", "NSMethodSignature", "NSPointerArray", "NSProtocolFromString", "NSProxy",
    "NSSetUncaughtExceptionHandler", "NSStringFromProtocol", "NSUnarchiver", "NSUserActivity", "NetService", "OSStatus",
    "RelativeDateTimeFormatter",
  ]

  /// Types that lie beside Foundation on Linux, in FoundationXML and FoundationNetworking.
  private static let xml: Set<String> = [
    "XMLDTD", "XMLDTDNode", "XMLDocument", "XMLElement", "XMLNode", "XMLParser", "XMLParserDelegate",
  ]
  private static let networking: Set<String> = [
    "CachedURLResponse", "HTTPCookie", "HTTPCookieStorage", "HTTPURLResponse", "NSURLConnection", "NSURLRequest",
    "NSMutableURLRequest", "URLAuthenticationChallenge", "URLCache", "URLCredential", "URLCredentialStorage",
    "URLProtectionSpace", "URLProtocol", "URLRequest", "URLResponse",
  ]

  /// Functions of the C libraries of Apple's systems.
  private static let functions: Set<String> = [
    "NSEC_PER_MSEC", "NSEC_PER_SEC", "NSEC_PER_USEC", "USEC_PER_SEC", "mach_absolute_time", "mach_continuous_time",
    "mach_timebase_info", "os_unfair_lock", "pthread_main_np",
  ]

  /// How the functions of Objective-C's runtime begin.
  private static let runtimePrefixes = [
    "class_", "imp_", "ivar_", "method_", "objc_", "object_get", "object_set", "property_get", "protocol_", "sel_",
  ]

  private static let foundationOfC = [
    "Absolute", "Allocator", "Array", "Bag", "Bitmap", "Boolean", "Bundle", "Calendar", "CharacterSet", "Copy", "Data",
    "Date",
    "Dictionary", "Equal", "Error", "File", "Gregorian", "Get", "Hash", "Index", "Locale", "MachPort", "Make",
    "MessagePort",
    "MutableArray", "MutableData", "MutableDictionary", "MutableString", "Notification", "Null", "Number", "Option",
    "Plug", "Preferences", "PropertyList", "Range", "ReadStream", "Release", "Retain", "RunLoop", "Set", "Show",
    "Socket",
    "Stream", "String", "TimeInterval", "TimeZone", "Tree", "Type", "URL", "UUID", "UserNotification", "WriteStream",
    "XML",
  ]

  /// The module to import for a name.
  static func module(of name: String) -> String? {
    xml.contains(name)
      ? "FoundationXML" : networking.contains(name) || name.hasPrefix("URLSession") ? "FoundationNetworking" : nil
  }

  /// Whether Linux lacks a class, a constant or the like.
  static func isAbsent(_ name: String) -> Bool {
    coreData.contains(name) || foundation.contains(name) || functions.contains(name)
      || (coreDataPrefixes + foundationPrefixes).contains(where: name.hasPrefix)
  }

  /// Whether it is a function of Objective-C's runtime.
  static func isOfRuntime(_ name: String) -> Bool { runtimePrefixes.contains(where: name.hasPrefix) }

  /// Whether it is a name of Core Foundation's.
  static func isOfCoreFoundation(_ name: String) -> Bool {
    let rest = name.hasPrefix("kCF") ? name.dropFirst(3) : name.hasPrefix("CF") ? name.dropFirst(2) : ""
    return foundationOfC.contains(where: rest.hasPrefix)
  }

  /// Members that classes of Foundation have on Apple's systems only, with the remedy.
  static let members: [String: String] = [
    "beginActivity": "Leave it out",
    "cancelPreviousPerformRequests": "Keep a DispatchWorkItem, and cancel that",
    "className": "Write String(describing: type(of: object))",
    "containerURL": "Take a folder of FileManager.default.urls(for:in:)",
    "makeFileSystemObjectSource": "Read the folder again instead",
    "makeMemoryPressureSource": "Leave it out",
    "notifications": "Call addObserver(forName:object:queue:using:)",
    "performSelector": "Call the method itself",
    "ubiquityIdentityToken": "Leave it out",
  ]
}

/// Members of Core Data's classes that no subclass overrides here, while Apple's may.
package enum PortedOverrides {
  /// By the class: the members as Swift writes them.
  package static let closed: [String: Set<String>] = [
    "NSFetchedResultsController": ["cacheName", "fetchRequest", "managedObjectContext", "sectionNameKeyPath"],
    "NSManagedObject": [
      "changedValuesForCurrentEvent()", "mutableArrayValue(forKey:)", "mutableOrderedSetValue(forKey:)",
    ],
    "NSManagedObjectContext": [
      "assign(_:to:)", "concurrencyType", "count(for:)", "delete(_:)", "deletedObjects", "detectConflicts(for:)",
      "execute(_:)", "existingObject(with:)", "hasChanges", "insert(_:)", "insertedObjects",
      "mergeChanges(fromContextDidSave:)", "object(with:)", "obtainPermanentIDs(for:)", "perform(schedule:_:)",
      "processPendingChanges()", "queryGenerationToken", "redo()", "refresh(_:mergeChanges:)", "refreshAllObjects()",
      "registeredObject(for:)", "registeredObjects", "reset()", "rollback()", "setQueryGenerationFrom(_:)", "undo()",
      "updatedObjects", "userInfo",
    ],
    "NSManagedObjectModel": [
      "configurations", "entities(forConfigurationName:)", "entityVersionHashesByName",
      "fetchRequestFromTemplate(withName:substitutionVariables:)", "fetchRequestTemplate(forName:)",
      "fetchRequestTemplatesByName", "isConfiguration(withName:compatibleWithStoreMetadata:)",
      "setEntities(_:forConfigurationName:)", "setFetchRequestTemplate(_:forName:)", "versionChecksum",
    ],
    "NSPersistentContainer": ["name", "persistentStoreCoordinator"],
    "NSPersistentStoreCoordinator": [
      "addPersistentStore(type:configuration:at:options:)", "addPersistentStore(with:completionHandler:)",
      "currentPersistentHistoryToken(fromStores:)", "destroyPersistentStore(at:ofType:options:)",
      "destroyPersistentStore(at:type:options:)", "execute(_:with:)", "managedObjectModel", "metadata(for:)",
      "migratePersistentStore(_:to:options:type:)", "migratePersistentStore(_:to:options:withType:)", "perform(_:)",
      "performAndWait(_:)",
      "replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)",
      "replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)",
      "setMetadata(_:for:)",
    ],
  ]
}
