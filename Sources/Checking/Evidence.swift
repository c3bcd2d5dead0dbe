/// All that a cell left behind to be judged by: values only, never the stack.
package struct Evidence: Sendable {
  /// The operations of all workers.
  package var history: Result<History, Unusable>
  /// The rows of the store's file.
  package var store: Result<StoreContents, Unusable>
  /// Whether the store's file is whole.
  package var condition: Result<StoreCondition, Unusable>
  /// The violations that handlers reported while the cell ran.
  package var reports: Result<[Violation], Unusable>
  /// Limits, layout, counters.
  package var parameters: CheckParameters

  package init(
    history: Result<History, Unusable>, store: Result<StoreContents, Unusable>,
    condition: Result<StoreCondition, Unusable> = .failure(Unusable("the store's condition was not read")),
    reports: Result<[Violation], Unusable>, parameters: CheckParameters
  ) {
    self.history = history
    self.store = store
    self.condition = condition
    self.reports = reports
    self.parameters = parameters
  }

  /// Reads a cell's records, and the store's file, if the cell has one.
  ///
  /// Each part that cannot be read is unusable by itself.
  package init(_ records: CellRecords, storePath: String?, parameters: CheckParameters) {
    let history = Result { () throws(Unusable) in try records.history() }
    self.history = history
    var layout = parameters.layout
    if let history = try? history.get() { layout.ownedEntities = history.ownedEntities }
    let condition = Result { () throws(Unusable) in
      guard let storePath else { throw Unusable("the cell left no store") }
      return try StoreCondition(ofStoreAt: storePath)
    }
    self.condition = condition
    store = Result { [layout] () throws(Unusable) in
      guard let storePath else { throw Unusable("the cell left no store") }
      return try StoreContents(
        storeAt: storePath, layout: layout, isKnownToBeWhole: (try? condition.get())?.isReadable ?? false)
    }
    reports = Result { () throws(Unusable) in try records.reports() }
    self.parameters = parameters
  }

  /// Where a cell's live reports belong.
  package static func reportsPath(in cellDirectory: String) -> String { cellDirectory + "/reports.jsonl" }
}

/// Why a history, a store file or a report file cannot be judged; checks that depend on it answer `unknown`.
package struct Unusable: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence: the file and its problem.
  package var reason: String

  package init(_ reason: String) {
    precondition(!reason.isEmpty, "what cannot be judged has a reason")
    self.reason = reason
  }

  package var description: String { reason }
}
