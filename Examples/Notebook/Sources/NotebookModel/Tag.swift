import CoreData

/// Written by hand, properties in the class.
open class Tag: NSManagedObject {
  @NSManaged open var name: String?
  @NSManaged public private(set) var uses: Int32
  @NSManaged private var secret: Bool
  @NSManaged var notes: Set<Note>

  #if DEBUG
    @NSManaged var isShown: Bool
  #else
    @NSManaged var isShown: Bool
  #endif

  public func use() {
    uses += 1
    secret.toggle()
  }

  public var isSecret: Bool { secret }
  public var noteCount: Int { notes.count }
}
