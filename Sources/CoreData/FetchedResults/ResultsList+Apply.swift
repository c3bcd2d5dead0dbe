import RowStore

extension ResultsList {
  /// One changed element: where it is, and where it belongs.
  struct Item {
    let element: Element
    /// Offset in the list; nil when it is not there.
    let old: Int?
    /// Nil when it does not belong to the list.
    let destination: Destination?
  }

  /// The changes that concern the list; nothing is changed yet.
  func items(_ changed: [(element: Element, destination: Destination?)]) -> [Item] {
    zip(changed, offsets(of: changed.map(\.element))).compactMap { changed, old in
      guard old != nil || changed.destination != nil else { return nil }
      return Item(element: changed.element, old: old, destination: changed.destination)
    }
  }

  /// Removes, inserts and rearranges the changed elements; everything else keeps its order.
  ///
  /// Among equal keys an element stays where it is, or as near to that as possible; a new one comes last. Elements
  /// of one section are next to each other, whatever their keys.
  /// - Parameter items: from ``items(_:)`` of this list.
  /// - Complexity: O(*k* log *n*) comparisons for *k* changed elements; shifts of arrays, or for many changes one pass.
  mutating func apply(_ items: [Item]) -> ResultsDiff<Element> {
    let before = sections
    var settled: [(element: Element, offset: Int)] = []
    var taken: [(element: Element, offset: Int, isBack: Bool)] = []
    var placed: [Placing] = []
    for item in items {
      if let old = item.old, let destination = item.destination, isSettled(old, destination) {
        keys[old] = destination.key
        settled.append((item.element, old))
        continue
      }
      if let old = item.old { taken.append((item.element, old, item.destination != nil)) }
      if let destination = item.destination {
        placed.append(Placing(item.element, destination, old: item.old, rank: placed.count))
      }
    }
    taken.sort { $0.offset < $1.offset }
    settled.sort { $0.offset < $1.offset }
    let removed = taken.map(\.offset)
    let kept = take(removed)
    var plan = SectionPlan(before: before, kept: kept)
    place(&placed, removed, &plan)
    put(placed, plan)
    precondition(keys.count == elements.count, "each element has a key, or none yet")

    var diff = ResultsDiff<Element>()
    let sameSections = plan.sameSections
    for index in before.indices.reversed() where sameSections[index] == nil {
      let start = removed.countSorted(below: before[index].start)
      let end = index + 1 < before.count ? removed.countSorted(below: before[index + 1].start) : taken.count
      let elements = taken[start..<end].map(\.element)
      diff.deletedSections.append(.init(index: index, name: before[index].name.text, elements: elements))
    }
    let lasting = Set(sameSections.values)
    diff.insertedSections = sections.indices.filter { !lasting.contains($0) }
    for (element, offset, isBack) in taken.reversed() where !isBack {
      diff.deletions.append(.init(element: element, kind: .delete, old: Self.place(at: offset, before), new: nil))
    }
    diff.updates = settled.map { element, offset in
      let index = offset - removed.countSorted(below: offset)
      let new = index + placed.countSorted(upTo: index)
      return .init(element: element, kind: .update, old: Self.place(at: offset, before), new: place(at: new))
    }
    tellPlaced(placed, removed, before, sameSections, &diff)
    return diff
  }

  /// Whether an element may stay exactly where it is.
  private func isSettled(_ old: Int, _ destination: Destination) -> Bool {
    guard let key = keys[old], order(key, destination.key) == 0 else { return false }
    return sections[section(at: old)].name == destination.section
  }

  private static func place(at offset: Int, _ sections: [Section]) -> ResultsDiff<Element>.Place {
    let section = sections.partitioning { $0.start > offset } - 1
    return .init(section: section, item: offset - sections[section].start, offset: offset)
  }

  // MARK: Steps

  /// An element that gets a new place.
  struct Placing {
    let element: Element
    let key: Key
    let section: SectionName
    let old: Int?
    /// Its number among those that are placed, for a certain order among equals.
    let rank: Int
    /// Offset in the list without the removed elements.
    var position = 0

    init(_ element: Element, _ destination: Destination, old: Int?, rank: Int) {
      self.element = element
      key = destination.key
      section = destination.section
      self.old = old
      self.rank = rank
    }
  }

  /// Takes out the elements at these ascending offsets; indexes of the sections that still have elements.
  private mutating func take(_ removed: [Int]) -> [Int] {
    precondition(
      zip(removed, removed.dropFirst()).allSatisfy { $0 < $1 }, "places that are removed are named once, and ascend")
    guard !removed.isEmpty else { return Array(sections.indices) }
    elements.remove(atSorted: removed, few: Self.fewMax)
    keys.remove(atSorted: removed, few: Self.fewMax)
    guard isSectioned else { return [0] }
    var kept: [Int] = []
    var remaining: [Section] = []
    for (index, section) in sections.enumerated() {
      let start = section.start - removed.countSorted(below: section.start)
      let oldEnd = index + 1 < sections.count ? sections[index + 1].start : Int.max
      let end = oldEnd == .max ? elements.count : oldEnd - removed.countSorted(below: oldEnd)
      guard end > start else { continue }
      kept.append(index)
      remaining.append(Section(name: section.name, start: start))
    }
    sections = remaining
    return kept
  }

  /// Finds the positions, and sorts by them.
  private mutating func place(_ placed: inout [Placing], _ removed: [Int], _ plan: inout SectionPlan) {
    let byName =
      placed.count > Self.fewMax ? Dictionary(uniqueKeysWithValues: sections.enumerated().map { ($1.name, $0) }) : nil
    var created: [SectionName: [Int]] = [:]
    var sectionOf = [Int](repeating: 0, count: placed.count)
    for index in placed.indices {
      let name = placed[index].section
      guard let section = byName.map({ $0[name] }) ?? sections.firstIndex(where: { $0.name == name }) else {
        created[name, default: []].append(index)
        continue
      }
      sectionOf[index] = section
      let range = sections[section].start..<end(ofSection: section)
      let high = bound(placed[index].key, in: range, after: true)
      placed[index].position = high
      if let old = placed[index].old {
        let gap = old - removed.countSorted(below: old)
        if gap < high {
          placed[index].position = max(gap, bound(placed[index].key, in: range.lowerBound..<high, after: false))
        }
      }
    }
    let new = created.map { name, members in
      let first = members.min { precedes(placed[$0], placed[$1]) } ?? members[0]
      return (name: name, first: placed[first], gap: sectionBound(placed[first].key), members: members)
    }.sorted { ($0.gap, 0) < ($1.gap, 0) || ($0.gap == $1.gap && precedes($0.first, $1.first)) }
    plan.insert(new.map { (name: $0.name, gap: $0.gap) })
    for (number, section) in new.enumerated() {
      let position = section.gap < sections.count ? sections[section.gap].start : elements.count
      for index in section.members {
        placed[index].position = position
        sectionOf[index] = plan.newIndexes[number]
      }
    }
    for index in placed.indices where created[placed[index].section] == nil {
      sectionOf[index] = plan.keptIndexes[sectionOf[index]]
    }
    let sorted = placed.indices.sorted { left, right in
      if sectionOf[left] != sectionOf[right] { return sectionOf[left] < sectionOf[right] }
      if placed[left].position != placed[right].position { return placed[left].position < placed[right].position }
      return precedes(placed[left], placed[right])
    }
    plan.counts = [Int](repeating: 0, count: plan.names.count)
    for index in sorted { plan.counts[sectionOf[index]] += 1 }
    placed = sorted.map { placed[$0] }
  }

  private func precedes(_ left: Placing, _ right: Placing) -> Bool {
    let order = order(left.key, right.key)
    if order != 0 { return order < 0 }
    let (old, other) = (left.old ?? .max, right.old ?? .max)
    return old == other ? left.rank < right.rank : old < other
  }

  /// Inserts the placed elements.
  private mutating func put(_ placed: [Placing], _ plan: SectionPlan) {
    guard !placed.isEmpty else { return }
    let positions = placed.map(\.position)
    if isSectioned {
      var starts = [Int](repeating: 0, count: plan.names.count)
      for (number, index) in plan.keptIndexes.enumerated() {
        starts[index] = end(ofSection: number) - sections[number].start
      }
      var start = 0
      sections = plan.names.indices.map { index in
        defer { start += starts[index] + plan.counts[index] }
        return Section(name: plan.names[index], start: start)
      }
    }
    elements.insert(placed.map(\.element), atSorted: positions, few: Self.fewMax)
    keys.insert(placed.map { Optional($0.key) }, atSorted: positions, few: Self.fewMax)
    precondition(elements.count == keys.count, "each element has the place of its sort key")
  }

  /// Separates insertions from moves and updates. An element moved when its section is another one, or when it is not
  /// between the same unchanged elements; of several that do, as many as possible stay.
  private func tellPlaced(
    _ placed: [Placing], _ removed: [Int], _ before: [Section], _ sameSections: [Int: Int],
    _ diff: inout ResultsDiff<Element>
  ) {
    var staying: Set<Int> = []
    var gap: [(index: Int, old: Int)] = []
    func closeGap(_ gap: inout [(index: Int, old: Int)]) {
      for position in LongestIncreasing(gap.map(\.old)).positions { staying.insert(gap[position].index) }
      gap = []
    }
    for (index, placing) in placed.enumerated() {
      if let last = gap.last, placed[last.index].position != placing.position { closeGap(&gap) }
      guard let old = placing.old, old - removed.countSorted(below: old) == placing.position else { continue }
      let section = Self.place(at: old, before).section
      if sameSections[section] == place(at: placing.position + index).section { gap.append((index, old)) }
    }
    closeGap(&gap)
    var updates: [ResultsDiff<Element>.Change] = []
    for (index, placing) in placed.enumerated() {
      let new = place(at: placing.position + index)
      guard let offset = placing.old else {
        diff.insertions.append(.init(element: placing.element, kind: .insert, old: nil, new: new))
        continue
      }
      let old = Self.place(at: offset, before)
      if staying.contains(index) {
        updates.append(.init(element: placing.element, kind: .update, old: old, new: new))
      } else {
        diff.moves.append(.init(element: placing.element, kind: .move, old: old, new: new))
      }
    }
    guard !updates.isEmpty else { return }
    diff.updates = (diff.updates + updates).sorted { ($0.new?.offset ?? 0) < ($1.new?.offset ?? 0) }
  }
}

extension [Int] {
  /// How many elements of an ascending list are below `value`.
  fileprivate func countSorted(below value: Int) -> Int { partitioning { $0 >= value } }
}

extension Array {
  /// How many elements placed in ascending positions come before the one at `index`.
  fileprivate func countSorted<E, K>(upTo index: Int) -> Int where Element == ResultsList<E, K>.Placing {
    partitioning { $0.position > index }
  }
}
