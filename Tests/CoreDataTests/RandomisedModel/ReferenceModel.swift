import CoreData
@testable import RowStore

/// The state of a stack of contexts by the contract, as plain values: rows, and objects of contexts by name.
///
/// When a fault fires is the stack's own affair; the driver tells the model that one did (``realise(_:_:)``), and the
/// model gives the values that it must have.
///
/// Coordinators on one file know of each other's saves by their reads: a row stays as a coordinator lists it until one
/// of its contexts saves it, a fetch or the members of a relationship bring a newer one, or a merge has it read again
/// (S2.4, S3.3). Whether a row is listed at all is the stack's own affair, since it is as long as an object holds it; which
/// one can be listed is not (``observe(_:_:_:)``).
///
/// Not specified, and neither drawn nor compared: relationships to an object that is gone already, and pushes
/// that concern one; where `refresh` drops changes of relationships; resets and rollbacks of contexts with children;
/// under which of its two IDs a child first sees a saved object.
struct ReferenceModel {
  /// A wrong rule, to see that the test finds it.
  enum Mutation: CaseIterable {
    case inversesStay, refreshDropsChanges, rollbackKeepsInserts, mergeOverwritesChanges, staleSavesPass,
      cascadeNullifies, coordinatorsSeeEveryRow, foreignMergesTrustTheCache, remoteMergesLeaveAncestors,
      nobodyMergesByItself, versionsComeBack, otherProcessesAreNotMerged, countsAreNotKept, undoneStaysDirty,
      ordersAreNotSaved, generationsMove

    /// Where the rule matters.
    var world: World {
      switch self {
      case .coordinatorsSeeEveryRow, .foreignMergesTrustTheCache, .remoteMergesLeaveAncestors, .generationsMove:
        .twoCoordinators
      case .versionsComeBack: .siblings
      case .otherProcessesAreNotMerged: .twoProcesses
      case .nobodyMergesByItself: .mergingFamily
      case .undoneStaysDirty: .undoing
      case .ordersAreNotSaved: .ordered
      default: .family
      }
    }
  }

  /// A committed row, or a context's view of it.
  struct Row: Equatable {
    let entity: Int
    var version: Int
    /// Attributes, and to-one targets by name; nil for to-many relationships.
    var values: [Int?]
  }

  /// A many-to-many pair as the store has it.
  struct Join: Hashable {
    let word: Int
    let tag: Int
  }

  /// One object of one context.
  struct Thing {
    let entity: Int
    /// As last read or saved; nil for an object never saved.
    var base: Row?
    /// As it is now; nil for a fault.
    var values: [Int?]?
    var changed: Set<Int> = []
    var many: [Int: Many] = [:]
    var isInserted = false
    var isUpdated = false
    var isDeleted = false
    var isDeletionPending = false
    var isGone = false
    /// Inserted again by undo, and not saved since: nothing that the store has leads here.
    var isBroughtBack = false
    /// Whether it goes by a permanent ID here; nil where either is right and it was not checked yet.
    var isPermanent: Bool?

    var isDirty: Bool { isInserted || isUpdated || isDeleted }
    /// It had no row when its deletion was followed: one that comes later is not its own.
    var isDeletedWithoutRow: Bool { isDeleted && !isDeletionPending && base == nil }
    /// Attributes, to-one and to-many relationships that a save would write.
    func isReallyChanged(_ property: Int) -> Bool {
      guard changed.contains(property) else { return false }
      if AtlasSchema.entities[entity].properties[property].kind == .toMany {
        return many[property]?.hasChanges ?? false
      }
      guard let base, let values else { return true }
      return base.values[property] != values[property]
    }
  }

  struct Context {
    let parent: Int?
    let coordinator: Int
    let merges: Bool
    let isElsewhere: Bool
    let undoes: Bool
    var policy = NSMergePolicyType.errorMergePolicyType
    var things: [Int: Thing] = [:]
    /// In the order in which they became so.
    var insertions: [Int] = []
    var updates: [Int] = []
    var deletions: [Int] = []
    /// Deletions that met a deny rule: the object and the relationship.
    var denials: [(name: Int, property: Int)] = []
    /// Inserted and deleted before a save, or found gone, and not met again since.
    var vanished: Set<Int> = []
    /// Deleted and saved here. A relationship that led there leads to the deleted object still.
    var departed: Set<Int> = []
    var history = History()
    var unsettled = Unsettled()
  }

  /// The rows that a coordinator remembers.
  struct Cache {
    /// The rows it lists. Only kept where there is another coordinator: else the listed rows are the store's.
    private(set) var rows: [Int: Row] = [:]
    /// Those that it listed before this step, and does not list any more.
    private(set) var former: [Int: Row] = [:]
    /// Deleted by one context and inserted again under their IDs by another's merge policy.
    var reinserted: Set<Int> = []

    /// Lists a row, or none any more.
    mutating func list(_ name: Int, _ row: Row?) {
      if let old = rows[name], old != row, former[name] == nil { former[name] = old }
      rows[name] = row
    }

    mutating func forgetAll() { (rows, former) = ([:], [:]) }

    mutating func beginStep() { former = [:] }
  }

  /// The notification of one save.
  struct PostedSave {
    let context: Int
    let inserted: [Int]
    let updated: [Int]
    let deleted: [Int]
    /// For children: changes that were to be saved, and were not written.
    var settled: [Int] = []
    /// For children: objects that were to be saved, and are gone.
    var givenUp: [Int] = []
  }

  var store: [Int: Row] = [:]
  /// The orders of members; nil where one is not known, and nothing where there was never a member.
  var storeOrder: [ListKey: [Int]?] = [:]
  let isOrdered: Bool
  let isInFile: Bool
  var joins: Set<Join> = []
  var contexts: [Context]
  var saves: [PostedSave] = []
  /// Entities by name.
  var entityOf: [Int: Int] = [:]
  /// Names that something may still know.
  var living: Set<Int> = []
  /// Names that have a permanent ID somewhere.
  var permanent: Set<Int> = []
  /// By the number of the coordinator.
  var caches: [Cache]
  /// The last key given out, by entity. A row that comes back takes one, and its version begins there (S3.3).
  var lastKeys: [Int: Int] = [:]
  static let versionsPerKey = 1 << 22
  /// The versions that the objects of the context which saved last show, by name.
  var versionsShown: [Int: Int] = [:]
  let mutation: Mutation?

  init(_ world: World, mutation: Mutation? = nil) {
    contexts = world.members.map {
      Context(
        parent: $0.parent, coordinator: $0.coordinator, merges: $0.merges, isElsewhere: $0.isElsewhere,
        undoes: $0.undoes)
    }
    caches = Array(repeating: Cache(), count: world.coordinators)
    isOrdered = world.isOrdered
    isInFile = world.isInFile
    self.mutation = mutation
  }

  static func property(_ entity: Int, _ index: Int) -> AtlasSchema.Property {
    AtlasSchema.entities[entity].properties[index]
  }

  // MARK: Reading

  /// The object's row above this context: in the coordinator's cache or the store, or in the nearest ancestor that
  /// knows it.
  func rowAbove(_ context: Int, _ name: Int) -> Row? {
    guard let parent = contexts[context].parent else {
      if mutation == .coordinatorsSeeEveryRow { return store[name] }
      return caches[contexts[context].coordinator].rows[name] ?? store[name]
    }
    return rowIn(parent, name)
  }

  /// The derived attribute of a note, as the store has it.
  func wordCount(_ name: Int) -> Int {
    if mutation == .countsAreNotKept { return 0 }
    return store.values.count { $0.entity == AtlasSchema.word && $0.values[Self.noteOfWord] == name }
  }

  private static let noteOfWord = 1

  /// The row that a child of that context reads.
  func rowIn(_ context: Int, _ name: Int) -> Row? {
    guard let thing = contexts[context].things[name] else { return rowAbove(context, name) }
    if thing.isDeleted || thing.isGone { return nil }
    guard let values = thing.values else { return rowAbove(context, name) }
    return Row(entity: thing.entity, version: thing.base?.version ?? 0, values: values)
  }

  /// The members as the store or the parent has them.
  func membersAbove(_ context: Int, _ name: Int, _ index: Int) -> Set<Int> {
    guard entityOf[name] != nil, contexts[context].things[name]?.isBroughtBack != true else { return [] }
    if let parent = contexts[context].parent {
      guard rowIn(parent, name) != nil else { return [] }
      return members(parent, name, index).filter { rowIn(parent, $0) != nil }
    }
    return storedMembers(name, index)
  }

  func storedMembers(_ name: Int, _ index: Int) -> Set<Int> {
    guard let entity = entityOf[name] else { return [] }
    let property = Self.property(entity, index)
    if Self.property(property.destination, property.inverse).kind == .toMany {
      return Set(
        joins.compactMap {
          entity == AtlasSchema.word ? ($0.word == name ? $0.tag : nil) : ($0.tag == name ? $0.word : nil)
        })
    }
    return Set(
      store.filter { $0.value.entity == property.destination && $0.value.values[property.inverse] == name }.keys)
  }

  /// The members in an answer of now.
  func members(_ context: Int, _ name: Int, _ index: Int) -> Set<Int> {
    let known = contexts[context].things[name]?.many[index]
    if let members = known?.members { return members }
    guard let entity = entityOf[name] else { return [] }
    let property = Self.property(entity, index)
    var members =
      contexts[context].things[name]?.base == nil && contexts[context].things[name] != nil
        && contexts[context].things[name]?.isInserted == true ? [] : membersAbove(context, name, index)
    if Self.property(property.destination, property.inverse).kind == .toOne {
      // A member that was taken elsewhere here is none, whatever the store says.
      members = members.filter { member in
        guard let thing = contexts[context].things[member], thing.isReallyChanged(property.inverse) else {
          return true
        }
        return thing.values?[property.inverse] == name
      }
      members.formUnion(leading(context, to: name, index))
    }
    return members.subtracting(known?.removed ?? []).union(known?.added ?? [])
  }

  // MARK: Registering

  /// The context knows the object from now on.
  mutating func register(_ context: Int, _ name: Int) {
    guard contexts[context].things[name] == nil, let entity = entityOf[name] else { return }
    contexts[context].things[name] = Thing(entity: entity, isPermanent: permanent.contains(name) ? nil : false)
    living.insert(name)
  }

  /// A row of the object was found; one that was found gone before is another object than the one that is there now.
  mutating func meet(_ context: Int, _ name: Int) {
    forgetGone(context, name)
    contexts[context].vanished.remove(name)
    contexts[context].departed.remove(name)
    register(context, name)
  }

  /// Forgets an object that was found gone. Lists have the one that is there now once they are read again; those of
  /// deleted objects are not.
  mutating func forgetGone(_ context: Int, _ name: Int) {
    guard contexts[context].things[name]?.isGone == true else { return }
    contexts[context].things[name] = nil
    for (other, thing) in contexts[context].things {
      for (index, many) in thing.many where many.members?.contains(name) == true {
        if thing.isDeleted {
          contexts[context].things[other]?.many[index]?.members?.remove(name)
        } else {
          contexts[context].things[other]?.many[index]?.forgetUnchanged()
        }
      }
    }
  }

  /// The fault fires.
  ///
  /// - Parameter version: that of the row it has then, where it is known: a row that a coordinator listed before this step
  ///   may have been read before the step brought a newer one.
  mutating func realise(_ context: Int, _ name: Int, version: Int? = nil) {
    register(context, name)
    guard let thing = contexts[context].things[name], thing.values == nil, !thing.isGone else { return }
    // A parent that is asked for a row has read it.
    if let parent = contexts[context].parent, rowIn(parent, name) != nil { realise(parent, name) }
    let former = contexts[context].parent == nil ? caches[contexts[context].coordinator].former[name] : nil
    if let row = version != nil && former?.version == version ? former : rowAbove(context, name) {
      contexts[context].vanished.remove(name)
      contexts[context].departed.remove(name)
      noteRead(context, [name], fromStore: false)
      if !thing.isDeletedWithoutRow {
        if thing.base != row { noteOvertaken(context, name) }
        contexts[context].things[name]?.base = row
      }
      contexts[context].things[name]?.values = row.values
    } else {
      lose(context, name)
    }
  }

  /// The row was found gone.
  mutating func lose(_ context: Int, _ name: Int) {
    guard let thing = contexts[context].things[name] else { return }
    contexts[context].history.isDisturbed = true
    contexts[context].vanished.insert(name)
    forgetLists(context, name)
    // A gone object moves no other member.
    for (other, thing) in contexts[context].things {
      for index in thing.many.keys { contexts[context].things[other]?.many[index]?.order.drop(name) }
    }
    contexts[context].things[name] = Thing(
      entity: thing.entity, values: [Int?](repeating: nil, count: AtlasSchema.entities[thing.entity].properties.count),
      isGone: true, isPermanent: thing.isPermanent)
  }

  mutating func realiseMany(_ context: Int, _ name: Int, _ index: Int) {
    realise(context, name)
    guard let thing = contexts[context].things[name], !thing.isGone, thing.many[index]?.members == nil else { return }
    readMembers(context, name, index)
    let above = membersAbove(context, name, index)
    let unknown = makeMany(thing.entity, index)
    let deleted = (thing.many[index]?.removed ?? []).filter { contexts[context].things[$0]?.isDeleted == true }
    let settled =
      contexts[context].things[name]?.many[index, default: unknown].dropChanges(madeIn: above, deleted: deleted) ?? []
    let property = Self.property(thing.entity, index)
    if Self.property(property.destination, property.inverse).kind == .toMany {
      // Both sides of a pair know the same.
      for other in settled { contexts[context].things[other]?.many[property.inverse]?.dropChange(of: name) }
    }
    for member in above { meet(context, member) }
    let members = members(context, name, index)
    for member in members { register(context, member) }
    contexts[context].things[name]?.many[index]?.members = members
    readOrder(context, name, index)
  }

  /// A parent that is asked for the members has read them, and every one of them, afterwards.
  private mutating func readMembers(_ context: Int, _ name: Int, _ index: Int) {
    guard let parent = contexts[context].parent else {
      return noteRead(context, membersAbove(context, name, index), fromStore: true)
    }
    guard rowIn(parent, name) != nil else { return }
    register(parent, name)
    realise(parent, name)
    realiseMany(parent, name, index)
    for member in members(parent, name, index) where rowIn(parent, member) != nil { realise(parent, member) }
  }

  /// A gone object is no member that a delete rule could reach, though a list that was read has it still.
  mutating func leaveLists(_ context: Int, _ name: Int) {
    for (other, thing) in contexts[context].things {
      for index in thing.many.keys where thing.many[index]?.members?.contains(name) == true {
        contexts[context].things[other]?.many[index]?.members?.remove(name)
        contexts[context].things[other]?.many[index]?.order.drop(name)
      }
    }
  }

  mutating func forgetLists(_ context: Int, _ name: Int) {
    contexts[context].insertions.removeAll { $0 == name }
    contexts[context].updates.removeAll { $0 == name }
    contexts[context].deletions.removeAll { $0 == name }
  }

  // MARK: Existing objects

  /// The objects that steps can use: known, and neither deleted nor gone.
  func usable(_ context: Int, _ name: Int) -> Bool {
    guard let thing = contexts[context].things[name] else { return false }
    return !thing.isDeleted && !thing.isGone
  }

  /// Whether there is no such object for the context.
  func isNobody(_ context: Int, _ name: Int) -> Bool {
    if let thing = contexts[context].things[name] { return thing.isGone }
    return rowAbove(context, name) == nil
  }

  /// Removes objects from the living that no context, cache, row or remembered save knows, so that an episode may be long.
  /// Their entities stay known: a list that was read long ago may still lead to one.
  mutating func forgetTheDead() {
    guard living.count > Self.knownMax else { return }
    var alive = Set(store.keys)
    for context in contexts {
      alive.formUnion(context.things.keys)
      if context.undoes { alive.formUnion(context.history.names) }
    }
    for cache in caches { alive.formUnion(cache.rows.keys) }
    for reported in saves { alive.formUnion(reported.inserted + reported.updated + reported.deleted) }
    living = alive
  }

  /// More names than an episode of a few hundred steps gives.
  private static let knownMax = 100
  /// So many saves can be merged late.
  static let savesMax = 8

  func children(_ context: Int) -> [Int] { contexts.indices.filter { contexts[$0].parent == context } }

  /// The context and those above it.
  func line(_ context: Int) -> [Int] {
    var line = [context]
    while let parent = contexts[line[line.count - 1]].parent { line.append(parent) }
    return line
  }
}
