/// Some rules of the contract that belong together, and are tried together.
package enum ContractRule: String, CaseIterable, Sendable {
  /// Every one of the others.
  case all
  /// Lists and sections of controllers, and what their delegates receive (S7.5).
  case controllers
  /// Fetches in SQL, in memory and by hand, with unsaved changes (S7.1 to S7.3).
  case fetches
  /// Batch requests, unique values, and what contexts show then (S3.5, S7.4, S8.1, S6.11).
  case batches
  /// Transactions of the history, their changes and their tokens (S10.1 to S10.3).
  case history
  /// Reads of one block, while others save (S6.3, S6.6, S6.16).
  case reads
  /// Large values in files (S6.4, S6.17).
  case files
  /// Values that are in memory alone (S2.4, S4.4).
  case transients
  /// Conflicts of several contexts (S3.3, S3.4, S4.4).
  case conflicts
  /// Reports of commits (S5.4).
  case reports
  /// Both sides of every kind of relationship (S2.6, S8.1).
  case members
  /// Orders of members (S2.6).
  case orders
  /// Undo and redo (S2.4).
  case undos
  /// Saves that are refused, and how they say so (S2.7, S3.1, S9.2).
  case rules
  /// Trees of contexts (S4.1 to S4.5).
  case families
  /// Objects, IDs, faults and changes of one object (S1.5, S2.1 to S2.3, S2.8, S8.2, S8.3).
  case identity
  /// Merges late, twice, out of order and in parts (S5.1 to S5.3).
  case merges
  /// Query generations (S6.17).
  case generations
  /// Calls of an object's life (S2.7, S3.1, S3.6, S3.7, S5.1).
  case hooks
  /// Stores that are opened, moved, replaced and divided (S6.2, S6.3, S6.12).
  case stores
  /// Asynchronous fetches, and the order of blocks (S1.3, S1.4, S7.4).
  case asynchronous
  /// Blocks of several contexts at once, main's turns, waits and releases (S1.2 to S1.5, S1.8, S1.9).
  case queues
  /// Deletions: the reach of delete rules, and who denies (S8.1, S8.3).
  case deletes
  /// Unique values that are given, taken and exchanged (S3.5).
  case constraints
  /// Two contexts' changes of whole objects, by policy or by merge (S3.3, S3.4, S5.2).
  case policies
  /// Saves that fail late or for others' reasons, and are mended (S3.1, S3.4).
  case refusals
  /// Models that are the same, or another, for a store, and models of XML (S6.3, S9.1 to S9.3).
  case models
  /// Lists and order of notifications, of who changes, saves, merges and refreshes (S3.2, S5.1 to S5.3).
  case notices
  /// Faults, the row cache, rows that are gone or back, what refreshes and resets leave (S2.1 to S2.4, S2.9, S2.10).
  case faults
  /// Key-value coding, defaults, transformed values, templates, and copies of models (S2.6, S2.8, S9.1, S9.2).
  case values
  /// Saves: their policies and observers, keys, and relationships that lead nowhere (S3.1, S3.3, S6.4).
  case saves
  /// Containers, configurations, errors of files, writers that wait, and the log (S6.1 to S6.3, S6.12 to S6.14).
  case containers
  /// Children: reads, IDs and merges while their parents are busy (S4.1 to S4.5).
  case trees
  /// Every setting of requests, and every form of their answers (S7.1 to S7.4).
  case requests
  /// Authors, requests and deletions of the history (S10.1 to S10.3).
  case transactions
  /// Blocks: their values, their threads, and the objects that contexts keep alive (S1.3 to S1.5).
  case blocks
  /// Entities that inherit: their values, rules, relationships, deletions and fetches (S2.4, S2.6, S2.7, S7.1, S8.1, S9.2).
  case kinds
  /// Rows that others have deleted, and that are back (S2.1, S2.3, S2.4, S8.1, S8.2).
  case gone
  /// Children and parents that change the same objects, and what each may see of it (S4.1 to S4.4).
  case branches
  /// What an object says of its changes, what drops them, and hooks that set values (S2.2, S2.4, S2.7, S2.8).
  case changes
  /// Undo beside refused saves, merges and others' deletions (S2.4, S8.1).
  case returns

  func run(_ trial: RuleTrial) throws {
    switch self {
    case .all: preconditionFailure("one rule is tried at a time")
    case .controllers: try trial.controllers()
    case .fetches: try trial.fetches()
    case .batches: try trial.batches()
    case .history: try trial.history()
    case .reads: try trial.reads()
    case .files: try trial.files()
    case .transients: try trial.transients()
    case .conflicts: try trial.conflicts()
    case .reports: try trial.reports()
    case .members: try trial.members()
    case .orders: try trial.orders()
    case .undos: try trial.undos()
    case .rules: try trial.rules()
    case .families: try trial.families()
    case .identity: try trial.identity()
    case .merges: try trial.merges()
    case .generations: try trial.generations()
    case .hooks: try trial.hooks()
    case .stores: try trial.stores()
    case .asynchronous: try trial.asynchronous()
    case .queues: try trial.queues()
    case .deletes: try trial.deletes()
    case .constraints: try trial.constraints()
    case .policies: try trial.policies()
    case .refusals: try trial.refusals()
    case .models: try trial.models()
    case .notices: try trial.notices()
    case .faults: try trial.faults()
    case .values: try trial.values()
    case .saves: try trial.saves()
    case .containers: try trial.containers()
    case .trees: try trial.trees()
    case .requests: try trial.requests()
    case .transactions: try trial.transactions()
    case .blocks: try trial.blocks()
    case .kinds: try trial.kinds()
    case .gone: try trial.gone()
    case .branches: try trial.branches()
    case .changes: try trial.changes()
    case .returns: try trial.returns()
    }
  }
}
