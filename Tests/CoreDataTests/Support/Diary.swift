import CoreData

/// An object that notes which of its life-cycle methods were called.
final class DiaryEntry: NSManagedObject {
  var calls: [String] = []
  /// The action of the next `willSave` besides noting.
  var onWillSave: ((DiaryEntry) -> Void)?
  /// The action of `prepareForDeletion` besides noting.
  var onPrepareForDeletion: (() -> Void)?
  /// The action of `awakeFromFetch` besides noting.
  var onAwakeFromFetch: (() -> Void)?

  override func awakeFromInsert() { calls.append("awakeFromInsert") }
  override func awakeFromFetch() {
    calls.append("awakeFromFetch")
    onAwakeFromFetch?()
  }
  override func willSave() {
    calls.append("willSave")
    onWillSave?(self)
  }
  override func didSave() { calls.append("didSave") }
  override func prepareForDeletion() {
    calls.append("prepareForDeletion")
    onPrepareForDeletion?()
  }
  override func willTurnIntoFault() { calls.append("willTurnIntoFault") }
  override func didTurnIntoFault() { calls.append("didTurnIntoFault") }
}

/// A model of one entity.
enum Diary {
  /// - Parameter isNested: whether entries have parts, which are deleted with them.
  static func model(isNested: Bool = false) -> NSManagedObjectModel {
    let entry = Notebook.entity("Entry", DiaryEntry.self)
    entry.properties = [
      Notebook.attribute("text", .stringAttributeType),
      Notebook.attribute("count", .integer64AttributeType, defaultValue: 0),
    ]
    if isNested {
      let parts = Notebook.relationship("parts", to: entry, maxCount: 0, rule: .cascadeDeleteRule)
      let whole = Notebook.relationship("whole", to: entry, maxCount: 1)
      (parts.inverseRelationship, whole.inverseRelationship) = (whole, parts)
      entry.properties += [parts, whole]
    }
    let model = NSManagedObjectModel()
    model.entities = [entry]
    return model
  }
}
