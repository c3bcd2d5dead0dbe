import CoreData

/// A class that no model has: its key paths have names all the same.
public final class Loose: NSManagedObject {
  @NSManaged public var text: String?
}
