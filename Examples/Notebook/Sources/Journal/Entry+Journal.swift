import CoreData

// The class is generated of the model.

extension Entry {
  public enum Mood: Int16 {
    case plain, good, bad
  }

  public var feeling: Mood {
    get { Mood(rawValue: mood) ?? .plain }
    set { mood = newValue.rawValue }
  }

  /// The name of an entry's section in a list.
  /*@objc*/ public var initial: String { title?.prefix(1).uppercased() ?? "" }

  /*@objc*/ func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let text = value.pointee as? String, text.count > 20 else { return }
    throw CocoaError(.coderInvalidValue)
  }

  public class func newest(_ count: Int) -> NSFetchRequest<Entry> {
    let request: NSFetchRequest<Entry> = fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Entry.createdAt, ascending: false)]
    request.fetchLimit = count
    return request
  }
}

/// As libraries write it, for every class.
extension NSManagedObject {
  public class func findFirst(_ format: String, _ argument: String, in context: NSManagedObjectContext) -> Self? {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity().name ?? "")
    request.predicate = NSPredicate(format: format, argument)
    request.fetchLimit = 1
    return (try? context.fetch(request))?.first.map { unsafeDowncast($0, to: self) }
  }

  public class func create<Object: NSManagedObject>(in context: NSManagedObjectContext) -> Object {
    Object(context: context)
  }
}
