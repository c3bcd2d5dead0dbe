/// Some rules of the contract that belong together, and are tried together.
package enum ContractRule: String, CaseIterable, Sendable {
  /// Every one of the others.
  case all
  /// Lists and sections of controllers, and the calls of their delegates (S7.5).
  case controllers
  /// Fetches in SQL, in memory and by hand, with unsaved changes (S7.1 to S7.3).
  case fetches
  /// Batch requests, unique values, and the contexts afterwards (S3.5, S7.4, S8.1, S6.11).
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
  /// Both sides of every kind of relationship, and pages of many objects (S2.6, S7.1, S8.1).
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
  /// Deletions: the reach of delete rules, and the objects that deny them (S8.1, S8.3).
  case deletes
  /// Unique values that are given, taken and exchanged (S3.5).
  case constraints
  /// Two contexts' changes of whole objects, by policy or by merge (S3.3, S3.4, S5.2).
  case policies
  /// Saves that fail late or for others' reasons, and are mended (S3.1, S3.4).
  case refusals
  /// Models that are the same, or another, for a store, and models of XML (S6.3, S9.1 to S9.3).
  case models
  /// Lists and order of notifications of contexts that change, save, merge and refresh (S3.2, S5.1 to S5.3).
  case notices
  /// Faults, the row cache, rows that are gone or back, and objects after refreshes and resets (S2.1 to S2.4, S2.9, S2.10).
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
  /// Versions of rows, conflicts of saves, and locks that outlive refused saves (S3.3).
  case versions
  /// Saves that arrive while a context is busy, and the contexts that merge them (S5.3, S5.5, S5.6).
  case arrivals
  /// References to what others delete, deletions that outlive a row's return, and remote saves (S5.2).
  case references
  /// Decisions of a policy about whole objects, and the objects that it names (S3.4, S5.1).
  case revivals
  /// Stores of new objects, saves that one of two stores cannot take, and stores that are removed (S6.3, S6.12).
  case homes
  /// The steps of a save, what it refuses, and unique values of sub-entities (S3.1, S3.2, S3.5).
  case stages
  /// Kinds of contexts, the objects that they keep, and their reports of fetches and merges (S1.2 to S1.5, S5.1).
  case threads
  /// Saves from one state of the stores, and where there is none (S6.15, S6.17).
  case states
  /// Entities that inherit: their values, rules, relationships, deletions and fetches (S2.4, S2.6, S2.7, S7.1, S8.1, S9.2).
  case kinds
  /// Rows that others have deleted, and that are back (S2.1, S2.3, S2.4, S8.1 to S8.3).
  case gone
  /// Children and parents that change the same objects, and what each may see of it (S4.1 to S4.4).
  case branches
  /// An object's report of its changes, calls that drop them, and hooks that set values (S2.2, S2.4, S2.7, S2.8).
  case changes
  /// Undo beside refused saves, merges and others' deletions (S2.4, S8.1).
  case returns
  /// Fetches, batch requests and query generations of several stores (S6.3, S6.17, S7.1 to S7.4).
  case divided
  /// Derived values of every form, over every kind of relationship (S6.11, S9.2, S10.1).
  case derivations
  /// Names in transactions, every form of requests, histories of several stores (S10.1 to S10.3).
  case records
  /// Every way of reading with a query generation (S6.17).
  case pins
  /// Controllers of contexts and children, their sections and index paths (S7.5).
  case lists
  /// Dictionaries, objects that are fetched again, keys of sub-entities, and what is saved alone (S7.1 to S7.3).
  case answers
  /// Transformed, large, composite and kept values, of entities that inherit (S6.4, S7.1, S7.4, S9.2, S10.1).
  case encoded
  /// Asynchronous fetches of every form, and what their contexts hear before the block (S7.4).
  case laters
  /// Levels, caches, faults, undo and ways of merging that must make no difference (S2.1 to S2.6, S4.1 to S4.4, S5.2, S7.1 to S7.3).
  case twins
  /// Lists, flags and IDs of every context after each call (S2.1, S2.2, S2.6, S2.8, S3.1, S3.2, S5.1).
  case laws
  /// Rows that were read ahead, made old by others' saves, and looked at then (S2.3, S2.6, S5.2, S7.1).
  case ahead
  /// Several users of one thing, of which some end while the others continue (S2.4, S4.3, S5.3, S6.17, S7.1, S7.4, S7.5).
  case overlaps
  /// Saves about what the one before has inserted, beside contexts that merge (S2.2, S5.1 to S5.3, S7.5).
  case chains
  /// As many objects, IDs, values and changes as are handled in one way, and one more (S2.1, S2.4, S2.6, S3.1, S5.2, S7.1, S7.2, S7.4).
  case sizes
  /// Everything around the rows about which a policy has decided (S3.3, S3.4, S4.5, S5.1 to S5.3, S7.5).
  case decisions
  /// Saves of others that are merged while a context reports (S2.4, S4.1, S5.2, S5.6, S7.5).
  case midway
  /// Everything that a new object has which gives way to another one of its unique value (S3.5, S5.2).
  case heirs
  /// Saves of many rows, of which others have changed or deleted a few (S3.3, S3.4).
  case crowds
  /// Both sides of relationships, whatever was read of those that take part, in one context and in two (S2.6, S3.4, S5.2, S8.1).
  case sides
  /// Saves that fail at any of their writes, and what comes after them (S3.1, S6.4, S6.5, S10.1).
  case failures
  /// Everything at once that breaks a rule: of several objects, properties and kinds of rules (S2.7, S3.1, S9.2).
  case breaches
  /// The settings of contexts, made in any order (S1.2, S1.5, S2.4, S3.4, S5.3, S8.1, S10.1).
  case settings
  /// Every way into a context after a save that it merges (S1.3, S4.5, S5.3).
  case entrances
  /// As many blocks, threads and saves in line as there may be (S1.3, S1.9, S6.1).
  case lines
  /// Controllers of which the requests name new objects (S2.2, S4.3, S7.2, S7.5).
  case named
  /// Batch deletes in stores of drawn models, beside the deletion of the same objects (S7.4, S8.1).
  case cascades
  /// Values that are written and read by key paths, composites in composites among them (S2.4, S2.6, S2.8, S4.4, S6.4).
  case paths
  /// Equal large values of several rows, of which some are changed or deleted (S2.4, S3.4, S4.4, S6.4, S7.4).
  case largeValues
  /// Contexts, lists and fetches of stores that are removed, moved, replaced and destroyed (S6.3, S6.12, S6.17, S7.4, S7.5).
  case departures
  /// Several properties of an object that change at once, in every way of arriving (S2.4, S2.6, S3.4, S4.1, S4.4, S5.2, S7.4, S10.1).
  case together
  /// Stores of a coordinator with their files, metadata, IDs and notifications, whatever is done with them (S2.2, S3.2, S6.3).
  case places
  /// Drawn models, parts of them and changed ones: hashes, equality, what fits a store, and what is merged or copied (S6.3, S9.1, S9.2).
  case parts
  /// Values at drawn bounds and one beside: validated, saved, compared and computed (S2.6, S2.7, S3.1, S7.1, S7.2, S9.2).
  case bounds
  /// Saves that have nothing to save, or nothing any more (S2.4, S3.2, S3.6, S4.1, S5.1, S6.17, S10.1).
  case idles
  /// Changes that hooks, observers and delegates make of other objects (S1.4, S2.4, S2.7, S3.1, S5.1, S7.5).
  case callbacks
  /// Asynchronous fetches of which the reads are held while their contexts save, merge, change, drop and move (S4.2, S5.2, S5.3, S6.3, S7.4).
  case outstanding
  /// Constraints over everything that a model permits, of new and saved objects, by every policy (S3.5).
  case collisions
  /// Conditions and orders over ways of several relationships, beside unsaved changes of any object on the way (S4.1, S4.4, S7.1 to S7.3).
  case ways
  /// Derived values of drawn models, of members that several owners share, that move, go and are changed by others (S6.11, S9.2).
  case sums
  /// Objects of several tables with the same keys, read or not (S2.1, S2.3, S2.6, S3.3, S7.1, S7.2, S7.4, S8.1, S8.2).
  case namesakes
  /// Long series at one place: of lists, versions, levels, coordinators and transactions (S2.6, S3.3, S4.1, S6.3, S7.1, S7.4, S10.1).
  case series
  /// Classes that override one method of an object's life alone (S2.7, S2.8, S3.1, S3.6).
  case overrides
  /// Every change of Foundation's mutable sets, ordered sets and arrays of a relationship (S2.4, S2.6, S2.8, S4.4).
  case collections
  /// Key paths, collection operators and setting through arrays, sets and ordered sets of objects (S2.6).
  case operators
  /// Drawn predicates by hand, in SQL, in memory, of dictionaries, printed, copied, and with variables and arguments (S7.2, S7.3).
  case predicates
  /// Drawn expressions by hand, in memory, in dictionaries, groups and totals, and in batch updates (S7.1, S7.2, S7.4).
  case expressions
  /// Sort descriptors by keys, Swift key paths and comparators: of fetches, pages and collections, backwards and equal (S7.1, S7.3).
  case descriptors
  /// Every setting of what a model is made of: copies, equality and version hashes, and models that are asked for it (S9.1, S9.2).
  case descriptions
  /// Every setting of requests and of descriptions of stores, and what their copies, and those of tokens, do (S2.2, S6.3, S6.17, S7.1, S7.4, S10.1 to S10.3).
  case copies
  /// Every form in which one fetch, one block, one list or one change of stores can be asked for (S1.3, S1.4, S6.2, S6.3, S7.1, S7.4, S7.5).
  case forms
  /// Codes of errors by all of their names, and operations that fail with them (S2.3, S2.7, S3.1, S3.3, S3.5, S6.2, S6.3, S7.1, S7.4, S10.1).
  case codes

  /// The trial of each rule.
  private static let trials: [ContractRule: @Sendable (RuleTrial) throws -> Void] = [
    .controllers: { try $0.controllers() },
    .fetches: { try $0.fetches() },
    .batches: { try $0.batches() },
    .history: { try $0.history() },
    .reads: { try $0.reads() },
    .files: { try $0.files() },
    .transients: { try $0.transients() },
    .conflicts: { try $0.conflicts() },
    .reports: { try $0.reports() },
    .members: { try $0.members() },
    .orders: { try $0.orders() },
    .undos: { try $0.undos() },
    .rules: { try $0.rules() },
    .families: { try $0.families() },
    .identity: { try $0.identity() },
    .merges: { try $0.merges() },
    .generations: { try $0.generations() },
    .hooks: { try $0.hooks() },
    .stores: { try $0.stores() },
    .asynchronous: { try $0.asynchronous() },
    .queues: { try $0.queues() },
    .deletes: { try $0.deletes() },
    .constraints: { try $0.constraints() },
    .policies: { try $0.policies() },
    .refusals: { try $0.refusals() },
    .models: { try $0.models() },
    .notices: { try $0.notices() },
    .faults: { try $0.faults() },
    .values: { try $0.values() },
    .saves: { try $0.saves() },
    .containers: { try $0.containers() },
    .trees: { try $0.trees() },
    .requests: { try $0.requests() },
    .transactions: { try $0.transactions() },
    .blocks: { try $0.blocks() },
    .versions: { try $0.versions() },
    .arrivals: { try $0.arrivals() },
    .references: { try $0.references() },
    .revivals: { try $0.revivals() },
    .homes: { try $0.homes() },
    .stages: { try $0.stages() },
    .threads: { try $0.threads() },
    .states: { try $0.states() },
    .kinds: { try $0.kinds() },
    .gone: { try $0.gone() },
    .branches: { try $0.branches() },
    .changes: { try $0.changes() },
    .returns: { try $0.returns() },
    .divided: { try $0.divided() },
    .derivations: { try $0.derivations() },
    .records: { try $0.records() },
    .pins: { try $0.pins() },
    .lists: { try $0.lists() },
    .answers: { try $0.answers() },
    .encoded: { try $0.encoded() },
    .laters: { try $0.laters() },
    .twins: { try $0.twins() },
    .laws: { try $0.laws() },
    .ahead: { try $0.ahead() },
    .overlaps: { try $0.overlaps() },
    .chains: { try $0.chains() },
    .sizes: { try $0.sizes() },
    .decisions: { try $0.decisions() },
    .midway: { try $0.midway() },
    .heirs: { try $0.heirs() },
    .crowds: { try $0.crowds() },
    .sides: { try $0.sides() },
    .failures: { try $0.failures() },
    .breaches: { try $0.breaches() },
    .settings: { try $0.settings() },
    .entrances: { try $0.entrances() },
    .lines: { try $0.lines() },
    .named: { try $0.named() },
    .cascades: { try $0.cascades() },
    .paths: { try $0.paths() },
    .largeValues: { try $0.largeValues() },
    .departures: { try $0.departures() },
    .together: { try $0.together() },
    .places: { try $0.places() },
    .parts: { try $0.parts() },
    .bounds: { try $0.bounds() },
    .idles: { try $0.idles() },
    .callbacks: { try $0.callbacks() },
    .outstanding: { try $0.outstanding() },
    .collisions: { try $0.collisions() },
    .ways: { try $0.ways() },
    .sums: { try $0.sums() },
    .namesakes: { try $0.namesakes() },
    .series: { try $0.series() },
    .overrides: { try $0.overrides() },
    .collections: { try $0.collections() },
    .operators: { try $0.operators() },
    .predicates: { try $0.predicates() },
    .expressions: { try $0.expressions() },
    .descriptors: { try $0.descriptors() },
    .descriptions: { try $0.descriptions() },
    .copies: { try $0.copies() },
    .forms: { try $0.forms() },
    .codes: { try $0.codes() },
  ]

  func run(_ trial: RuleTrial) throws {
    precondition(Self.trials.count == Self.allCases.count - 1, "each rule has a trial, but for all of them together")
    guard let run = Self.trials[self] else { preconditionFailure("one rule is tried at a time: \(self)") }
    try run(trial)
  }
}
