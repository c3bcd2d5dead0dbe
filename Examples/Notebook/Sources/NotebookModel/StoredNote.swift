import CoreData

/// The yardstick of typed access: a class with stored properties, of the same types as `Note`'s.
public class StoredNote {
  public var number: Int64 = 42
  @exclusivity(unchecked)
  public var uncheckedNumber: Int64 = 42
  public var rating = 4.5
  public var body: String? = "a text that does not fit into the string itself"
  public var createdAt: Date?

  public init() {}
}
