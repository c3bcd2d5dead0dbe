import Foundation

/// The options that a store is opened with.
package struct StoreOptions: @unchecked Sendable {
  // Sendable: the dictionary holds property-list values and is never changed.

  /// Names of options; their meanings are with Apple's names.
  package enum Key {
    package static let readOnly = "NSReadOnlyPersistentStoreOption"
    package static let timeout = "NSPersistentStoreTimeoutOption"
    package static let pragmas = "NSSQLitePragmasOption"
    package static let analyze = "NSSQLiteAnalyzeOption"
    package static let vacuum = "NSSQLiteManualVacuumOption"
    package static let history = "NSPersistentHistoryTrackingKey"
    package static let remoteChange = "NSPersistentStoreRemoteChangeNotificationOptionKey"
  }

  /// Seconds to wait for another connection's lock without the option.
  package static let defaultTimeout: TimeInterval = 240

  package let dictionary: [AnyHashable: Any]?
  package private(set) var isReadOnly: Bool

  package init(_ dictionary: [AnyHashable: Any]?) {
    self.dictionary = dictionary
    isReadOnly = Self.isOn(Key.readOnly, in: dictionary)
  }

  /// Makes the store read-only, whatever was asked for.
  mutating func refuseWriting() { isReadOnly = true }

  /// Whether a flag is set.
  package func isOn(_ key: String) -> Bool { Self.isOn(key, in: dictionary) }

  private static func isOn(_ key: String, in dictionary: [AnyHashable: Any]?) -> Bool {
    (dictionary?[key] as? NSNumber)?.boolValue ?? false
  }

  package var timeout: TimeInterval {
    (dictionary?[StoreOptions.Key.timeout] as? NSNumber)?.doubleValue
      ?? Self.defaultTimeout
  }

  /// The same in milliseconds: as long as SQLite can wait where no number of them is so large, not at all where it is none.
  package var timeoutMilliseconds: Int32 {
    let milliseconds = timeout * 1_000
    return milliseconds > 0 ? Int32(exactly: milliseconds.rounded()) ?? .max : 0
  }

  /// Pragmas by name, sorted.
  ///
  /// - Throws: 134080 for a name or value that is not one word: pragmas are SQL text, not parameters.
  package func pragmas() throws -> [(name: String, value: String)] {
    guard let given = dictionary?[StoreOptions.Key.pragmas] else { return [] }
    let pragmas = (given as? [String: Any]) ?? ((given as? NSDictionary) as? [String: Any])
    guard let pragmas else {
      throw NSError.coreData(StoreErrorCode.open, "NSSQLitePragmasOption takes a dictionary of strings.")
    }
    return try pragmas.sorted { $0.key < $1.key }.map { name, value in
      let value = "\(value)"
      guard Self.isWord(name), Self.isWord(value) else {
        throw NSError.coreData(
          StoreErrorCode.open, "The pragma \(name) = \(value) is not a name and a word or number.")
      }
      return (name, value)
    }
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || isAlphanumeric($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
