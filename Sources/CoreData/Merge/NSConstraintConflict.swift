import RowStore

/// Objects that a uniqueness constraint does not allow side by side.
///
/// - SeeAlso: Apple, "NSConstraintConflict".
open nonisolated class NSConstraintConflict: NSObject {
  /// Names of the attributes that together have to be unique.
  public final let constraint: [String]
  /// The values of these attributes.
  public final let constraintValues: [String: Any]
  /// The object with the values in the store; nil when only objects to be saved collide with each other.
  public final let databaseObject: NSManagedObject?
  /// The values of that row.
  public final let databaseSnapshot: [AnyHashable: Any]?
  /// The inserted and changed objects that collide.
  public final let conflictingObjects: [NSManagedObject]
  /// Their values as last read or saved, in the same order; empty for an object never saved.
  public final let conflictingSnapshots: [[AnyHashable: Any]]

  /// Makes a conflict.
  public init(
    constraint: [String], database databaseObject: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
    conflicting conflictingObjects: [NSManagedObject], conflictingSnapshots: [Any]
  ) {
    self.constraint = constraint
    self.databaseObject = databaseObject
    self.databaseSnapshot = databaseSnapshot
    self.conflictingObjects = conflictingObjects
    self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
    var values: [String: Any] = [:]
    if let object = conflictingObjects.first { for key in constraint { values[key] = object.value(forKeyPath: key) } }
    constraintValues = values
    super.init()
  }

  /// Makes a conflict of nothing.
  public convenience override init() {
    self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
  }

  convenience init(_ constraint: ConstraintLayout, row: Row?, database: NSManagedObject?, _ objects: [NSManagedObject])
  {
    self.init(
      constraint: constraint.properties.map(\.name), database: database,
      databaseSnapshot: row.flatMap { database?.snapshotValues(of: $0) }, conflicting: objects,
      conflictingSnapshots: objects.map { object in object.snapshot.map(object.snapshotValues) ?? [:] })
  }

  open override var description: String {
    "<NSConstraintConflict: \(constraint.joined(separator: ", ")) = \(constraintValues), "
      + "in the store: \(databaseObject.map { "\($0.objectID)" } ?? "none"), "
      + "to be saved: \(conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", "))>"
  }
}

extension NSManagedObject {
  /// The values of one of this object's rows as conflicts show them: to-many relationships left out, to-one values as IDs.
  final func snapshotValues(of row: Row) -> [String: Any] {
    var values: [String: Any] = [:]
    for property in row.layout.properties {
      switch property.kind {
      case .attribute(let type): values[property.name] = row[property.index].value(as: type) ?? NSNull()
      case .toOne:
        if case .reference(let reference) = row[property.index], let context = registry?.contextOnQueue {
          values[property.name] = context.object(for: reference, in: property.relation.destination).objectID
        } else {
          values[property.name] = NSNull()
        }
      case .toMany: break
      }
    }
    return values
  }
}
