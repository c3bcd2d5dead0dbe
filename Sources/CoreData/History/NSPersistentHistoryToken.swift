import RowStore

/// A point in the persistent history of stores: after a transaction of each.
///
/// It is kept between launches as an archive. Two tokens are equal when they name the same transactions.
/// - SeeAlso: Apple, "NSPersistentHistoryToken".
open nonisolated class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Sendable: nothing changes after `init`.

  private static let key = "storeTokens"

  /// The number of the last transaction, by the UUID of the store.
  final let transactions: [String: Int64]

  init(_ transactions: [String: Int64]) {
    self.transactions = transactions
    super.init()
  }

  /// Whether tokens are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a token from an archive; nil where there is none.
  public required init?(coder: NSCoder) {
    let classes = [NSDictionary.self, NSString.self, NSNumber.self] as [AnyClass]
    guard let numbers = coder.decodeObject(of: classes, forKey: Self.key) as? [String: NSNumber] else { return nil }
    transactions = numbers.mapValues(\.int64Value)
    super.init()
  }

  /// Puts the token into an archive.
  open func encode(with coder: NSCoder) {
    let numbers = transactions.mapValues { NSNumber(value: $0) }
    coder.encode(numbers as NSDictionary, forKey: Self.key)
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.transactions == transactions
  }

  open override var hash: Int { transactions.hashValue }

  open override var description: String {
    let parts = transactions.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    return "<NSPersistentHistoryToken: {\(parts.joined(separator: ", "))}>"
  }
}
