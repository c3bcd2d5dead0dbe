extension Explanation.Source {
  private static let guide = "https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/CoreData/"
  private static let reference = "https://developer.apple.com/documentation/coredata/"

  static let concurrency = Self(
    title: "Apple, Core Data Programming Guide: Concurrency", address: guide + "Concurrency.html")
  static let faulting = Self(
    title: "Apple, Core Data Programming Guide: Faulting and Uniquing", address: guide + "FaultingandUniquing.html")
  static let changeManagement = Self(
    title: "Apple, Core Data Programming Guide: Change Management", address: guide + "ChangeManagement.html")
  static let troubleshooting = Self(
    title: "Apple, Core Data Programming Guide: Troubleshooting", address: guide + "TroubleshootingCoreData.html")
  static let relationships = Self(
    title: "Apple, Core Data Programming Guide: Creating Managed Object Relationships",
    address: guide + "HowManagedObjectsarerelated.html")
  static let background = Self(
    title: "Apple, Using Core Data in the background", address: reference + "using_core_data_in_the_background")
  static let context = Self(title: "Apple, NSManagedObjectContext", address: reference + "nsmanagedobjectcontext")
  static let objectID = Self(title: "Apple, NSManagedObjectID", address: reference + "nsmanagedobjectid")
  static let mergePolicy = Self(title: "Apple, NSMergePolicy", address: reference + "nsmergepolicy")
  static let controller = Self(
    title: "Apple, NSFetchedResultsController", address: reference + "nsfetchedresultscontroller")
  static let generations = Self(
    title: "Apple, NSQueryGenerationToken", address: reference + "nsquerygenerationtoken")
  static let history = Self(
    title: "Apple, Consuming relevant store changes", address: reference + "consuming_relevant_store_changes")
  static let historyToken = Self(
    title: "Apple, NSPersistentHistoryToken", address: reference + "nspersistenthistorytoken")
  static let remoteChange = Self(
    title: "Apple, NSPersistentStoreRemoteChange",
    address: "https://developer.apple.com/documentation/foundation/nsnotification/name/nspersistentstoreremotechange")
  static let author = Self(
    title: "Apple, transactionAuthor", address: reference + "nsmanagedobjectcontext/2877050-transactionauthor")
  static let elle = Self(
    title: "Kingsbury and Alvaro, Elle: the anomalies and how they are found",
    address: "https://github.com/jepsen-io/elle")
  static let hermitage = Self(
    title: "Kleppmann, Hermitage: which anomalies databases allow", address: "https://github.com/ept/hermitage")
  static let corruption = Self(
    title: "SQLite, How To Corrupt An SQLite Database File", address: "https://www.sqlite.org/howtocorrupt.html")
  static let writeAheadLog = Self(title: "SQLite, Write-Ahead Logging", address: "https://www.sqlite.org/wal.html")
  static let synchronous = Self(
    title: "SQLite, PRAGMA synchronous", address: "https://www.sqlite.org/pragma.html#pragma_synchronous")

  /// A thread of a project on GitHub.
  static func thread(_ repository: String, _ number: Int, _ title: String) -> Self {
    Self(
      title: "\(repository)#\(number): \(title)", address: "https://github.com/\(repository)/issues/\(number)")
  }
}
