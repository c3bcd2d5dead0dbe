/// The name by which a model finds a class of managed objects: its module's name and its own.
///
/// Foundation's function of this name ends the process for classes that are private, or inside another type. The names of such
/// classes hold for this process only.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String { String(reflecting: aClass) }
