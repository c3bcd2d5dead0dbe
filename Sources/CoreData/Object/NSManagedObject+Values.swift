import Scheduling
import RowStore

extension NSManagedObject {
  /// Notes a use of the object off its context's queue, when that is looked for.
  @inline(__always)
  final func touch(_ member: @autoclosure () -> String) {
    if ConcurrencyDebugging.mayBeEnabled { checkConfinement(member()) }
  }

  /// Notes a read of the property as well.
  @inline(__always)
  final func touch(_ property: PropertyLayout) {
    if ConcurrencyDebugging.mayBeEnabled { checkConfinement(property.index) }
  }

  @inline(never)
  final func checkConfinement(_ member: @autoclosure () -> String) {
    if isOutside { checkOuterQueues(member()) }
  }

  /// Whether uses are looked at, and the calling thread is not directly inside the queue of the object's context.
  @inline(__always)
  private final var isOutside: Bool {
    guard ConcurrencyDebugging.isEnabled, let registryReference else { return false }
    return registryReference._withUnsafeGuaranteedRef { !ThreadRecord.isInside($0.home) }
  }

  @inline(never)
  private final func checkOuterQueues(_ member: String) {
    guard let context = registry?.contextOnQueue, !context.queue.isHeld else { return }
    ConcurrencyDebugging.report(.object(entity: layout.name, id: "\(objectID)"), context: context, member: member)
  }

  /// The context of an object that is to be changed or read from the store.
  final var liveContext: NSManagedObjectContext {
    guard let context = registry?.contextOnQueue else {
      preconditionFailure(
        """
        \(layout.name) object used without a context: its context is gone or was reset, or its deletion was saved; \
        keep the context as long as its objects, and look at managedObjectContext first
        """)
    }
    return context
  }

  /// ``values`` without a reference counted; until they are changed.
  @inline(__always)
  final var valuesReference: Unmanaged<Row>? { values.map { Unmanaged.passUnretained($0) } }

  /// ``snapshot`` in the same form.
  @inline(__always)
  final var snapshotReference: Unmanaged<Row>? { snapshot.map { Unmanaged.passUnretained($0) } }

  /// Reads the values from the store or the parent if need be.
  @inline(__always)
  final func requireValues(_ index: Int) {
    if ConcurrencyDebugging.mayBeEnabled { checkConfinement(index) }
    if values == nil, !isFilledAtOnce() { _ = realisedValues(index) }
  }

  /// The values, read from the store or the parent if need be.
  @inline(__always)
  final func readableValues(_ index: Int) -> Row {
    if ConcurrencyDebugging.mayBeEnabled { checkConfinement(index) }
    if let values { return values }
    return realisedValues(index)
  }

  /// Reads one value of the object, read from the store or the parent if need be; no reference to its row is taken where
  /// the object has one.
  @inline(__always)
  final func withValues<Result>(_ index: Int, _ body: (RowValues) -> Result) -> Result {
    if ConcurrencyDebugging.mayBeEnabled { checkConfinement(index) }
    if values != nil || isFilledAtOnce(), let row = valuesReference {
      return row._withUnsafeGuaranteedRef { body($0.values(likely: layoutReference)) }
    }
    let row = realisedValues(index)
    return withExtendedLifetime(row) { body(row.values) }
  }

  @inline(never)
  private final func checkConfinement(_ index: Int) {
    if isOutside { checkOuterQueues(layout.properties[index].name) }
    if ContextWatch.isOn { tellRead(index) }
  }

  @inline(never)
  private final func checkChange(_ index: Int, _ slot: borrowing Slot) {
    if isOutside { checkOuterQueues(layout.properties[index].name) }
    if ContextWatch.isOn { tellSet(index, copy slot) }
  }

  @inline(never)
  private final func realisedValues(_ index: Int) -> Row {
    if !isAwakened {
      if isFilledAtOnce(), let values { return values }
    } else if let context = registry?.contextOnQueue, context.realisesAtOnce(self), let values {
      // `awakeFromFetch` may have set properties. It may release the last reference to the context as well.
      return values
    }
    return realisedValues(layout.properties[index])
  }

  /// Fills the fault with a row that is at hand; false where that is not all there is to do.
  @inline(never)
  private final func isFilledAtOnce() -> Bool {
    if isAwakened { return false }
    let context = registryReference?._withUnsafeGuaranteedRef { $0.contextReference }
    return context?._withUnsafeGuaranteedRef { $0.realisesAtOnce(self) } ?? false
  }

  @inline(never)
  final func realisedValues(_ property: PropertyLayout?) -> Row {
    if state.contains(.wasReset) || isUnclaimed && snapshot == nil && state.isEmpty {
      // In no context, or no longer: the object has values of its own.
      keepModel()
      let own = makeInitialValues()
      values = own
      return own
    }
    if isDetached, let last = snapshot {
      // Its deletion was saved while it was a fault: the row that was deleted is at hand.
      values = last
      return last
    }
    return liveContext.realise(self, triggeredBy: property)
  }

  /// A row with the entity's default values.
  final func makeInitialValues() -> Row {
    layoutReference._withUnsafeGuaranteedRef { $0.newValues }
  }

  /// A row of this object alone, to be changed at that property; the change is noted.
  @inline(__always)
  final func writableValues(_ index: Int) -> Row {
    let row = readableValues(index)
    markChanged(index)
    return row.isFrozen ? ownValues(row) : row
  }

  /// A row of this object alone, to be changed at that property without being a change: a later one takes it along.
  final func untrackedValues(_ index: Int) -> Row {
    let row = readableValues(index)
    changed.insert(index)
    return row.isFrozen ? ownValues(row) : row
  }

  @inline(never)
  private final func ownValues(_ row: Row) -> Row {
    let own = row.mutableCopy()
    values = own
    return own
  }

  /// Gives the object a copy of a row that it shares, to be changed.
  @inline(__always)
  final func ownFrozenValues() {
    guard let row = valuesReference, row._withUnsafeGuaranteedRef(\.isFrozen) else { return }
    let own = row._withUnsafeGuaranteedRef { $0.mutableCopy() }
    values = own
  }

  /// Marks the property as set: the object is dirty, and the context knows.
  @inline(__always)
  final func markChanged(_ index: Int) {
    changed.insert(index)
    if !state.isNoted { markFirstChange() }
  }

  @inline(never)
  private final func markFirstChange() {
    guard let context = registryReference?._withUnsafeGuaranteedRef({ $0.contextReference }) else {
      _ = state.update()
      return
    }
    // Nothing of a program is called meanwhile that could release the context.
    context._withUnsafeGuaranteedRef { context in
      if context.turn.untracked > 0 { return }
      let gained = state.update()
      if !gained.isEmpty { context.note(gained, of: self) }
    }
  }

  // MARK: Attributes

  @inline(__always)
  final func attribute(_ index: Int) -> Slot { readableValues(index)[index] }

  @inline(__always)
  final func setAttribute(_ index: Int, _ slot: consuming Slot) {
    if ConcurrencyDebugging.mayBeEnabled { checkChange(index, slot) }
    if values == nil, !isFilledAtOnce() { return writableValues(index)[index] = slot }
    markChanged(index)
    ownFrozenValues()
    // The object keeps the row: nothing is called while it is written.
    valuesReference?._withUnsafeGuaranteedRef { $0.values(likely: layoutReference)[index] = slot }
  }

  /// Resets the object to its values when it was last read or saved.
  final func dropChanges() {
    if values != nil { values = snapshot.map { keepingTransients(over: $0, except: changed.mask) } }
    if layout.hasTransients { setTransientDefaults() }
    changed.removeAll()
    relations = .unread
  }

  /// Makes the values the saved ones: the same row for the context, the cache and merging.
  final func becomeClean() {
    if layoutReference._withUnsafeGuaranteedRef({ $0.hasTransients }) {
      // A row that is not frozen has transient values; the saved part is the snapshot already.
      if let values, values.isFrozen { snapshot = withoutTransients(values) }
    } else {
      values?.freeze()
      snapshot = values
    }
    changed.removeAll()
    if layoutReference._withUnsafeGuaranteedRef({ $0.hasToMany }) {
      for case .many(let toMany) in relations { toMany.commit() }
    }
    state.save()
  }

  /// Forgets the object's values; its holders have a fault.
  ///
  /// The object's class hears of it where the object is no fault yet.
  final func turnIntoFault(keeping row: Row?) {
    let wasFault = values == nil
    if !wasFault { willTurnIntoFault() }
    values = nil
    snapshot = row
    if !relations.isEmpty { relations = relationsOfFault }
    changed.removeAll()
    if !wasFault { didTurnIntoFault() }
  }
}
