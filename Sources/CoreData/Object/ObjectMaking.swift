import RowStore

// Objects of a class that is known at run time only. Swift calls an initialiser of such a class only where it is
// `required`, and then every subclass with initialisers of its own must repeat it, which model classes do not.

/// The name under which a class is asked for its `init(entity:insertInto:)`; no object has this class.
open nonisolated class _ManagedObjectClass: NSManagedObject {
  // The initialiser has one place in the table of every subclass, found through this declaration.

  /// The initialiser of the class that the metatype really is.
  public required override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
  }
}

extension NSManagedObject {
  /// Makes an object of the one entity with this class, and inserts it into `context`; on the context's queue.
  ///
  /// - Precondition: exactly one entity of the context's model has this class.
  public convenience init(context moc: NSManagedObjectContext) {
    self.init(entity: ObjectMaking.entity(of: Self.self, in: moc), insertInto: moc)
  }
}

/// Lets a class that is known only at run time, or as a type parameter, make its objects.
public protocol _ManagedObjectFactory {}

extension NSManagedObject: _ManagedObjectFactory {}

extension _ManagedObjectFactory {
  /// Makes an object of a class that is a type parameter; see ``NSManagedObject/init(entity:insertInto:)``.
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self = ObjectMaking.insert(entity, Self.self, context) as! Self
  }

  /// Makes an object of a class that is a type parameter; see ``NSManagedObject/init(context:)``.
  public init(context moc: NSManagedObjectContext) {
    let type = ObjectMaking.objectClass(Self.self)
    self = ObjectMaking.insert(ObjectMaking.entity(of: type, in: moc), Self.self, moc) as! Self
  }
}

/// How objects come into being without their class being written down.
enum ObjectMaking {
  fileprivate static func objectClass(_ type: Any.Type) -> NSManagedObject.Type {
    guard let type = type as? NSManagedObject.Type else {
      preconditionFailure("\(type) is no subclass of NSManagedObject; init(context:) makes objects of those only")
    }
    return type
  }

  /// The one entity of a context's model with objects of `type`.
  fileprivate static func entity(of type: NSManagedObject.Type, in moc: NSManagedObjectContext) -> NSEntityDescription {
    if let entity = moc.registryReference?._withUnsafeGuaranteedRef({ $0.entity(of: type) }) { return entity }
    let count = moc.registry?.layout?.entities(of: type).count ?? 0
    preconditionFailure(
      "\(count) entities of \(moc.label)'s model have the class \(type); use init(entity:insertInto:)")
  }

  /// By the class's own `init(entity:insertInto:)`.
  fileprivate static func insert(
    _ entity: NSEntityDescription, _ type: Any.Type, _ context: NSManagedObjectContext?
  ) -> NSManagedObject {
    let type = objectClass(type)
    // For a metatype in a variable, Swift gives the variable's class.
    let named = entity.layout?.objectClass ?? type
    return insert(entity, named.isSubclass(of: type) ? named : type, context)
  }

  /// By the class's own `init(entity:insertInto:)`.
  ///
  /// - Precondition: the class has that initialiser, inherited or its own.
  static func insert(
    _ entity: NSEntityDescription, _ type: NSManagedObject.Type, _ context: NSManagedObjectContext?
  ) -> NSManagedObject {
    // Nothing but the table of initialisers is read through the other name.
    unsafeBitCast(type, to: _ManagedObjectClass.Type.self).init(entity: entity, insertInto: context)
  }

  /// Whether the class adds no stored property to those of `NSManagedObject`, so that no initialiser has anything to do.
  static func isWithoutStorage(_ type: NSManagedObject.Type) -> Bool {
    instanceSize(type) == instanceSize(NSManagedObject.self)
  }

  /// The size of an instance, from a class's metadata (ClassMetadata in docs/ABI/TypeMetadata.rst of the Swift compiler): kind,
  /// superclass, flags and address point, then that size.
  private static func instanceSize(_ type: NSManagedObject.Type) -> UInt32 {
    unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: 24, as: UInt32.self)
  }
}

extension EntityLayout {
  /// An object that the stack makes by itself, for a row or for a child's push: no initialiser of its class runs, unless the
  /// class has stored properties to initialise.
  func makeObject() -> NSManagedObject {
    Unmanaged.passUnretained(objects)._withUnsafeGuaranteedRef { part in
      guard part.hasPlainObjects else {
        let object = ObjectMaking.insert(part.entity, part.objectClass, nil)
        object.dropFirstValues()
        return object
      }
      return NSManagedObject(entity: part.entity, insertInto: nil)
    }
  }
}

extension NSManagedObject {
  /// Makes an object that was made as `NSManagedObject` one of its entity's class, where that class has no stored property
  /// to initialise.
  final func adoptClass(of layout: Unmanaged<EntityLayout>) {
    guard type(of: self) == NSManagedObject.self else { return noteClass(of: layout) }
    layout._withUnsafeGuaranteedRef { layout in
      guard layout.objects.hasPlainObjects else { return }
      // The class has the superclass's storage and nothing else, so that the object is one of it once it says so.
      Unmanaged.passUnretained(self).toOpaque()
        .storeBytes(of: unsafeBitCast(layout.objectClass, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
    }
  }

  /// Drops what the initialiser of the object's class has set: that is for new objects, and this one is a row's.
  fileprivate final func dropFirstValues() {
    guard values != nil else { return }
    (values, relations, state) = (nil, .unread, [])
    changed.removeAll()
  }

  /// Notes a class that is not the entity's.
  @inline(never)
  private final func noteClass(of layout: Unmanaged<EntityLayout>) {
    layout._withUnsafeGuaranteedRef { layout in
      if type(of: self) != layout.objectClass { layout.objects.note(type(of: self)) }
    }
  }

  fileprivate static func isSubclass(of type: NSManagedObject.Type) -> Bool {
    var candidate: AnyClass? = self
    while let current = candidate {
      if current == type { return true }
      candidate = _getSuperclass(current)
    }
    return false
  }
}
