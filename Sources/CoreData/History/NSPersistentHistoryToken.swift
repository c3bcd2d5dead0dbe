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
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.key) as String? else { return nil }
    var transactions: [String: Int64] = [:]
    for part in text.split(separator: " ") {
      guard let equals = part.lastIndex(of: "="), let number = Int64(part[equals...].dropFirst()) else { return nil }
      transactions[String(part[..<equals])] = number
    }
    self.transactions = transactions
    super.init()
  }

  /// Puts the token into an archive, as one string: an archiver takes many times longer for a dictionary.
  open func encode(with coder: NSCoder) {
    let parts = transactions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    coder.encode(parts.joined(separator: " ") as NSString, forKey: Self.key)
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
