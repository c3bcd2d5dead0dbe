import CoreData

/// An object that notes the calls of its life in the log of its context, where that has one.
package class HookedObject: NSManagedObject {
  private static let numberKey = _PropertyKey("number")
  private static let remarkKey = _PropertyKey("remark")
  private static let shownKey = _PropertyKey("shown")

  /// Logical key.
  package var number: Int64 {
    get { _integer(Self.numberKey) }
    set { _setInteger(Self.numberKey, newValue) }
  }

  /// An optional attribute.
  package var remark: String? {
    get { _string(Self.remarkKey) }
    set { _setString(Self.remarkKey, newValue) }
  }

  /// A transient attribute: the file has none of it.
  package var shown: String? {
    get { _string(Self.shownKey) }
    set { _setString(Self.shownKey, newValue) }
  }

  /// Every attribute that goes to the file.
  package var stored: [String] {
    let attributes = entity.attributesByName.filter { !$0.value.isTransient }
    return values(attributes.keys.sorted())
  }

  package func values(_ keys: [String]) -> [String] {
    keys.map { key in
      switch value(forKey: key) {
      case nil: "\(key): none"
      case let date as Date: "\(key): \(date.timeIntervalSinceReferenceDate)"
      case let value?: "\(key): \(value)"
      }
    }
  }

  private func note(_ hook: HookLog.Hook, _ details: String? = nil) {
    HookLog.of(managedObjectContext)?.note(hook, of: self, details)
  }

  /// Notes a validation, which the log may want to fail.
  private func judge(_ hook: HookLog.Hook) throws {
    note(hook)
    try HookLog.of(managedObjectContext)?.refuse(self)
  }

  /// Its part in the next save.
  private var fate: String {
    if !hasChanges { return "unchanged" }
    return isDeleted ? "deleted" : isInserted ? "inserted" : isUpdated ? "updated" : "in no list"
  }

  package override func awakeFromInsert() {
    super.awakeFromInsert()
    note(.awakeFromInsert)
  }

  package override func awakeFromFetch() {
    super.awakeFromFetch()
    note(.awakeFromFetch)
  }

  package override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    super.awake(fromSnapshotEvents: flags)
    let names: [(NSSnapshotEventType, String)] = [
      (.undoInsertion, "undoInsertion"), (.undoDeletion, "undoDeletion"), (.undoUpdate, "undoUpdate"),
      (.rollback, "rollback"), (.refresh, "refresh"), (.mergePolicy, "mergePolicy"),
    ]
    note(.awakeFromSnapshotEvents, names.filter { flags.contains($0.0) }.map(\.1).joined(separator: " "))
  }

  package override func willTurnIntoFault() {
    super.willTurnIntoFault()
    note(.willTurnIntoFault)
  }

  package override func didTurnIntoFault() {
    super.didTurnIntoFault()
    note(.didTurnIntoFault)
  }

  package override func prepareForDeletion() {
    super.prepareForDeletion()
    note(.prepareForDeletion)
  }

  package override func willSave() {
    super.willSave()
    note(.willSave, fate)
  }

  package override func didSave() {
    super.didSave()
    note(.didSave)
  }

  package override func validateForInsert() throws {
    try super.validateForInsert()
    try judge(.validateForInsert)
  }

  package override func validateForUpdate() throws {
    try super.validateForUpdate()
    try judge(.validateForUpdate)
  }

  package override func validateForDelete() throws {
    try super.validateForDelete()
    try judge(.validateForDelete)
  }
}

/// A workbook: its sheets, in their order, go with it.
final class Workbook: HookedObject {
  private static let titleKey = _PropertyKey("title")
  private static let totalKey = _PropertyKey("total")

  var title: String? {
    get { _string(Self.titleKey) }
    set { _setString(Self.titleKey, newValue) }
  }

  /// How many pages its sheets have together.
  var total: Int64 {
    get { _integer(Self.totalKey) }
    set { _setInteger(Self.totalKey, newValue) }
  }

  var sheets: [Worksheet] { (value(forKey: "sheets") as? NSOrderedSet)?.array.compactMap { $0 as? Worksheet } ?? [] }

  /// Puts a sheet elsewhere among the others.
  func moveSheet(from old: Int, to new: Int) {
    precondition(sheets.indices.contains(old) && sheets.indices.contains(new), "a sheet moves among the others")
    mutableOrderedSetValue(forKey: "sheets").moveObjects(at: IndexSet(integer: old), to: new)
  }
}

/// A sheet of a workbook.
final class Worksheet: HookedObject {
  private static let pagesKey = _PropertyKey("pages")
  private static let workbookKey = _PropertyKey("workbook")

  var pages: Int64 {
    get { _integer(Self.pagesKey) }
    set { _setInteger(Self.pagesKey, newValue) }
  }

  var workbook: Workbook? {
    get { _toOne(Self.workbookKey) as? Workbook }
    set { _setToOne(Self.workbookKey, newValue) }
  }
}
