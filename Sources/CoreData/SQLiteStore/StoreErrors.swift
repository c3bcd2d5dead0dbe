/// Codes of the errors that a store gives, in `NSCocoaErrorDomain`; the numbers are Apple's.
enum StoreErrorCode {
  /// A deny rule keeps an object from being deleted.
  static let deniedDelete = 1600
  /// A save within a save.
  static let recursiveSave = 132001
  /// The object of a fault is not in the store.
  static let referentialIntegrity = 133000
  /// A uniqueness constraint does not allow rows beside each other.
  static let constraintMerge = 133021
  /// There is no store of that type.
  static let invalidType = 134000
  /// A store cannot be written.
  static let save = 134030
  /// What is to be saved contradicts what the store has.
  static let saveConflicts = 134050
  /// A store cannot be opened or read.
  static let open = 134080
  /// The model is another version than the one that made the store.
  static let incompatibleVersionHash = 134100
}

/// Keys of the user info of errors.
enum StoreErrorKey {
  /// SQLite's code.
  static let sqliteDomain = "NSSQLiteErrorDomain"
  /// The property that an error is about.
  static let validationKey = "NSValidationErrorKey"
}

extension NSError {
  /// An error of the Cocoa domain with a sentence, and what lies beneath.
  static func coreData(
    _ code: Int, _ description: String, underlying: (any Error)? = nil, userInfo: [String: Any] = [:]
  ) -> NSError {
    var info = userInfo
    info[NSLocalizedDescriptionKey] = description
    if let underlying { info[NSUnderlyingErrorKey] = underlying }
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}
