/// A possible result of a fetch: a managed object, its ID, a number, or a dictionary.
///
/// A marker, so that the protocol is itself a type of results, as Apple's is: `NSFetchRequest<NSFetchRequestResult>`, and
/// `NSFetchedResultsController<NSFetchRequestResult>` for delegates.
@_marker public protocol NSFetchRequestResult: AnyObject {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}

/// The kind of a fetch's results; raw values are Apple's.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// Apple's raw value.
  public let rawValue: UInt

  /// Makes a type from Apple's raw value.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Objects.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// Object IDs.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1 << 0)
  /// Dictionaries of the properties to fetch, as the store has them.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 1 << 1)
  /// One number: how many objects there are.
  public static let countResultType = NSFetchRequestResultType(rawValue: 1 << 2)
}
