/// The subject of a history record.
///
/// An *interval* is recorded as `invoke` and one completion (`ok`, `fail`, `info`) by the same process with the same
/// entity and key. An *event* is one record of any type but `invoke`; it may be given an `invoke` as well, which then
/// says when it began.
public enum OperationFunction: UInt8, Sendable, Hashable, CaseIterable {
  /// Interval: rows `key..<key + count` written; `ok` means acknowledged durable. Value of the `ok`: the logical key of
  /// the row that owns them, 0 when the history does not say.
  case insert = 1
  /// Event: a child's save of rows `key..<key + count` reached its parent, not the disk; value: the revision pushed,
  /// 0 when only the rows' presence is meant.
  case push
  /// Interval: rows written anew, acknowledged durable by `ok`; value: their new revision.
  case update
  /// Interval: rows deleted, acknowledged durable by `ok`. Rows that a cascade takes along have a record of their own.
  case delete
  /// Interval: an object's ID is handed out.
  case request
  /// Interval: the ID of the request with the same entity and key is used.
  case response
  /// Interval: a read of one object's value; value: the revision seen.
  case read
  /// Interval: a page fetched; count: its rows.
  case fetch
  /// Event: its process has taken over every merge and push that was acknowledged before the event began.
  case drained
  /// Event: the save of the inserts, updates and deletes that the process has invoked and not completed; where there
  /// are none, of the entity's rows `key..<key + count`. Value of a `fail`: the error's code.
  case save
  /// Event: the main thread came late; value: by how many nanoseconds.
  case stall
  /// Interval: blocks nested in `performAndWait`; value: their depth.
  case nested
  /// Event: a phase of the workload begins; value: its number.
  case phase
  /// Interval: a transaction of `append` and `list`, which its process records between the two; key: its number.
  /// `ok` means acknowledged durable, `fail` that nothing of it is there.
  case transaction
  /// Event: adds a value, unique in its list, to the end of the list `key`; value: that value.
  case append
  /// Event: the list `key` is seen; count: its length. Its values follow in `elements`.
  case list
  /// Event: up to six values that belong to the latest record of its process that is of another function.
  case elements
  /// Interval: an amount goes from the account `key` to that of the `credit` which follows the invocation; value: the
  /// amount.
  case transfer
  /// Event: which account the latest transfer of its process goes to: `key`; value: the amount.
  case credit
  /// Interval: every account's balance is read; key: the read's number; count of the completion: the accounts;
  /// `elements`: their balances; value of the invocation: in how many fetches.
  case balances
  /// Interval: the row of the logical key `key` is looked for and made where there is none; object of `ok`: the row.
  case findOrCreate
  /// Interval: the row `key` is saved; `elements` of the invocation: each property's value as it was read, then each
  /// one's as it is saved; value: 0. Or it is deleted: only the values as they were read; value: 1.
  case edit
  /// Event: a context on a coordinator is about to save; key: the context, as a number of its own.
  case willSave
  /// Event: a context posted its save; key: the context, as in `willSave`. The objects follow in `notified`.
  case didSave
  /// Event: the latest `didSave` of its process reported the rows of primary keys `key..<key + count`: inserted
  /// (value 1), updated (2), deleted (3).
  case notified
  /// Event: a context takes the transaction `key` of its store's persistent history: `ok` merged, `info` passed over; value:
  /// 1 when the context saved it itself.
  case merge
  /// Event: a context has its store's persistent history up to the transaction `key`: `info` from there on, `ok` by its
  /// merges; `fail`, with the error's code as the value, when the next transaction is deleted.
  case historyRead

  /// Whether every completion must have an `invoke`.
  package var isInterval: Bool {
    switch self {
    case .insert, .update, .delete, .request, .response, .read, .fetch, .nested, .transaction, .transfer, .balances,
      .findOrCreate, .edit:
      true
    case .push, .drained, .save, .stall, .phase, .append, .list, .elements, .credit, .willSave, .didSave, .notified,
      .merge, .historyRead:
      false
    }
  }

  /// The name in exported histories.
  package var name: String {
    switch self {
    case .insert: "insert"
    case .push: "push"
    case .update: "update"
    case .delete: "delete"
    case .request: "request"
    case .response: "response"
    case .read: "read"
    case .fetch: "fetch"
    case .drained: "drained"
    case .save: "save"
    case .stall: "stall"
    case .nested: "nested"
    case .phase: "phase"
    case .transaction: "txn"
    case .append: "append"
    case .list: "r"
    case .elements: "elements"
    case .transfer: "transfer"
    case .credit: "credit"
    case .balances: "balances"
    case .findOrCreate: "find-or-create"
    case .edit: "edit"
    case .willSave: "will-save"
    case .didSave: "did-save"
    case .notified: "notified"
    case .merge: "merge"
    case .historyRead: "history-read"
    }
  }
}
