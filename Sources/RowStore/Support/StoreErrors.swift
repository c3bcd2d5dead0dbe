import Foundation

/// Codes of the errors that a store gives, in `NSCocoaErrorDomain`; the numbers are Apple's.
package enum StoreErrorCode {
  /// A deny rule keeps an object from being deleted.
  package static let deniedDelete = 1600
  /// A save within a save.
  package static let recursiveSave = 132001
  /// The object of a fault is not in the store.
  package static let referentialIntegrity = 133000
  /// A uniqueness constraint does not allow rows beside each other.
  package static let constraintMerge = 133021
  /// There is no store of that type.
  package static let invalidType = 134000
  /// A store cannot be written.
  package static let save = 134030
  /// The changes to be saved contradict the store.
  package static let saveConflicts = 134050
  /// A store cannot be opened or read.
  package static let open = 134080
  /// The store does not carry out such a request.
  package static let unsupportedRequest = 134091
  /// The model is another version than the one that made the store.
  package static let incompatibleVersionHash = 134100
}

/// Keys of the user info of errors.
package enum StoreErrorKey {
  /// SQLite's code.
  package static let sqliteDomain = "NSSQLiteErrorDomain"
  /// The property that an error is about.
  package static let validationKey = "NSValidationErrorKey"
}

extension NSError {
  /// An error of the Cocoa domain with a sentence, and the underlying error.
  package static func coreData(
    _ code: Int, _ description: String, underlying: (any Error)? = nil, userInfo: [String: Any] = [:]
  ) -> NSError {
    var info = userInfo
    info[NSLocalizedDescriptionKey] = description
    if let underlying { info[NSUnderlyingErrorKey] = underlying }
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}
