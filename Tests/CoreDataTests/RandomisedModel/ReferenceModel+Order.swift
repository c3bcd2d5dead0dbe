import CoreData

/// Ordered relationships (S2.6): members are in the order of the store or the parent, new ones at the end, and an
/// arrangement that is not saved yet is laid over the order above (DEVIATIONS.md, "Two orders of one relationship").
///
/// Where the model cannot tell an order, it adopts the stack's: with `isUnsure` of a context's list, with nil
/// of the store's.
extension ReferenceModel {
  /// The known order of one relationship.
  struct Order: Equatable {
    /// The members, where they are known.
    var list: [Int]?
    /// Members that came since the last save.
    var comers: [Int] = []
    /// The members above when they were last read or saved.
    var stored: [Int]?
    /// The arrangement, while the members are forgotten.
    var wanted: [Int]?
    var isArranged = false
    var isUnsure = false
    var yieldsToStore = false

    var differs: Bool {
      guard isArranged, let stored, let now = list ?? wanted else { return false }
      return stored.filter(now.contains) != now
    }

    /// An arrangement that is the order above by now is none any more.
    mutating func forget() {
      if let list, isArranged {
        isArranged = !comers.isEmpty || stored == nil || differs
        wanted = isArranged ? list : nil
      }
      list = nil
    }

    /// The object is gone; the others keep their order.
    mutating func drop(_ name: Int) {
      list?.removeAll { $0 == name }
      comers.removeAll { $0 == name }
      stored?.removeAll { $0 == name }
      wanted?.removeAll { $0 == name }
    }

    mutating func commit() {
      self = Order(list: list, stored: list, isUnsure: isUnsure)
    }
  }

  /// The members of one object, in the store.
  struct ListKey: Hashable {
    let owner: Int
    let property: Int
  }

  func isOrdered(_ entity: Int, _ index: Int) -> Bool { isOrdered && Self.property(entity, index).canBeOrdered }

  func makeMany(_ entity: Int, _ index: Int) -> Many { Many(isOrdered: isOrdered(entity, index)) }

  /// `current` as `wanted` has it: others stay behind the one they are behind, and at the end.
  static func arranged(_ current: [Int], like wanted: [Int]) -> [Int] {
    let wanted = wanted.filter(current.contains)
    var groups: [[Int]] = [[]]
    for name in current {
      if wanted.contains(name) { groups.append([name]) } else { groups[groups.count - 1].append(name) }
    }
    guard groups.count > 1, let last = groups.last else { return current }
    groups[groups.count - 1] = [last[0]]
    let byLeader = Dictionary(uniqueKeysWithValues: groups.dropFirst().map { ($0[0], $0) })
    return groups[0] + wanted.flatMap { byLeader[$0] ?? [] } + last.dropFirst()
  }

  /// The order above; nil where that is not known.
  private func orderAbove(_ context: Int, _ name: Int, _ index: Int) -> [Int]? {
    let members = membersAbove(context, name, index)
    let list: [Int]?
    if let parent = contexts[context].parent {
      let many = contexts[parent].things[name]?.many[index]
      list = many?.order.isUnsure == true ? nil : many?.order.list
    } else {
      list = storeOrder[ListKey(owner: name, property: index), default: []]
    }
    guard let order = list?.filter(members.contains), order.count == members.count else { return nil }
    return order
  }

  /// The members were read.
  mutating func readOrder(_ context: Int, _ name: Int, _ index: Int) {
    guard let thing = contexts[context].things[name], var many = thing.many[index], many.isOrdered else { return }
    defer { contexts[context].things[name]?.many[index] = many }
    let property = Self.property(thing.entity, index)
    guard var above = orderAbove(context, name, index) else {
      many.order.isUnsure = true
      return
    }
    many.order.stored = above
    if Self.property(property.destination, property.inverse).kind == .toOne {
      above.removeAll { member in
        guard let other = contexts[context].things[member], other.changed.contains(property.inverse) else {
          return false
        }
        return other.values?[property.inverse] != name
      }
      above += leading(context, to: name, index).filter { !above.contains($0) && !many.added.contains($0) }
    }
    var list = above.filter { !many.removed.contains($0) }
    list += many.order.comers.filter { !list.contains($0) }
    if many.order.isArranged, let wanted = many.order.wanted {
      list = Self.arranged(list, like: wanted)
      many.order.wanted = nil
    }
    many.order.list = list
    if Set(list) != many.members { many.order.isUnsure = true }
  }

  /// Brings the members into an order.
  mutating func arrange(_ context: Int, _ name: Int, _ index: Int, like wanted: [Int]) {
    realiseMany(context, name, index)
    guard let list = contexts[context].things[name]?.many[index]?.order.list else { return }
    let arranged = Self.arranged(list, like: wanted)
    guard arranged != list else { return }
    note(context, name, index)
    contexts[context].things[name]?.many[index]?.order.list = arranged
    contexts[context].things[name]?.many[index]?.order.isArranged = true
  }

  /// Moves a member to the place of another.
  mutating func move(_ context: Int, _ name: Int, _ index: Int, _ member: Int, to other: Int) {
    realise(context, name)
    realiseMany(context, name, index)
    guard var list = contexts[context].things[name]?.many[index]?.order.list,
      let source = list.firstIndex(of: member), let target = list.firstIndex(of: other)
    else { return }
    list.insert(list.remove(at: source), at: target)
    note(context, name, index)
    add(context, name, index, member)
    arrange(context, name, index, like: list)
  }

  /// Whether the order of a relationship is there to be changed: known here, or readable above.
  func canBeMoved(_ context: Int, _ name: Int, _ index: Int, _ members: [Int]) -> Bool {
    guard isOrdered, usable(context, name), let many = contexts[context].things[name]?.many[index],
      let list = many.order.list, !many.order.isUnsure
    else { return false }
    return members.allSatisfy(list.contains) && list.allSatisfy { usable(context, $0) && rowIn(context, $0) != nil }
  }

  // MARK: The store

  /// The orders in the store after the save of these objects; before their rows are written.
  func plannedOrders(_ context: Int, _ names: [Int]) -> [ListKey: [Int]?] {
    var plans: [ListKey: [Int]?] = [:]
    guard isOrdered else { return plans }
    for name in names {
      guard let thing = contexts[context].things[name], !thing.isDeleted else { continue }
      for (index, many) in thing.many where many.isOrdered && many.hasChanges {
        let key = ListKey(owner: name, property: index)
        plans[key] = many.order.isUnsure ? .some(nil) : .some(planned(many, key, context))
      }
    }
    return plans
  }

  private func planned(_ many: Many, _ key: ListKey, _ context: Int) -> [Int]? {
    if many.isNew { return many.order.list }
    guard let stored = storeOrder[key, default: []] else { return nil }
    let appended = stored.filter { !many.order.comers.contains($0) } + many.order.comers
    guard many.order.isArranged, mutation != .ordersAreNotSaved, let wanted = many.order.list ?? many.order.wanted
    else { return appended }
    func isLeaving(_ member: Int) -> Bool {
      many.removed.contains(member) || contexts[context].things[member]?.isDeleted == true
    }
    if many.order.yieldsToStore {
      let before = (many.order.stored ?? []).filter { !many.added.contains($0) && !isLeaving($0) }
      if before.filter(stored.contains) != stored.filter(before.contains) { return appended }
    }
    var current = stored.filter { !isLeaving($0) }
    current += many.order.comers.filter { !current.contains($0) }
    return Self.arranged(current, like: wanted)
  }

  /// The rows are written.
  mutating func writeOrders(_ plans: [ListKey: [Int]?]) {
    guard isOrdered else { return }
    for (key, plan) in plans { storeOrder[key] = plan }
    for (name, row) in store {
      for index in AtlasSchema.entities[row.entity].toManys where isOrdered(row.entity, index) {
        let key = ListKey(owner: name, property: index)
        let members = storedMembers(name, index)
        guard let list = storeOrder[key, default: []]?.filter(members.contains) else { continue }
        let others = members.subtracting(list)
        // A member that comes without a place from its owner is at the end.
        storeOrder[key] = others.isEmpty ? .some(list) : .some(nil)
      }
    }
    storeOrder = storeOrder.filter { store[$0.key.owner] != nil }
  }

  /// Takes over an order that was not known; false when another was.
  mutating func observeStored(_ name: Int, _ index: Int, _ found: [Int]) -> Bool {
    let key = ListKey(owner: name, property: index)
    if let known = storeOrder[key, default: []], known.count == found.count || found.isEmpty { return known == found }
    storeOrder[key] = found
    return true
  }
}
