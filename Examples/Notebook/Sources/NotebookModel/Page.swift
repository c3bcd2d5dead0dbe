import CoreData

/*@objc(Page)*/
public class Page: NSManagedObject {
  @NSManaged public var text: String?
  @NSManaged public var note: Note?
}
