/// The sections of a list before and after a change: a pure structure.
struct SectionPlan {
  /// Names before the change.
  private let before: [SectionName]
  /// Old indexes of the sections that keep an element.
  private let kept: [Int]
  /// Names after the change.
  private(set) var names: [SectionName] = []
  /// Index in ``names`` of each kept section.
  private(set) var keptIndexes: [Int] = []
  /// Index in ``names`` of each section that was put in.
  private(set) var newIndexes: [Int] = []
  /// How many elements are put into each section.
  var counts: [Int] = []
  private var gaps: [Int] = []

  init<E, K>(before: [ResultsList<E, K>.Section], kept: [Int]) {
    self.before = before.map(\.name)
    self.kept = kept
  }

  /// Puts sections between the kept ones.
  ///
  /// - Parameter new: in order; `gap` is the number of kept sections before.
  mutating func insert(_ new: [(name: SectionName, gap: Int)]) {
    precondition(
      zip(new, new.dropFirst()).allSatisfy { $0.gap <= $1.gap }, "new sections come in the order of their places")
    var next = 0
    for (number, index) in kept.enumerated() {
      while next < new.count, new[next].gap <= number {
        newIndexes.append(names.count)
        names.append(new[next].name)
        next += 1
      }
      keptIndexes.append(names.count)
      names.append(before[index])
    }
    for section in new[next...] {
      newIndexes.append(names.count)
      names.append(section.name)
    }
    gaps = new.map(\.gap)
    precondition(newIndexes.count == new.count && keptIndexes.count == kept.count, "each section has its place")
  }

  /// New indexes of the sections that are still the same, by old index.
  ///
  /// A section of changed elements only is the same when it is between the same kept sections; of several that are, as many as
  /// possible.
  var sameSections: [Int: Int] {
    var same: [Int: Int] = [:]
    for (number, index) in kept.enumerated() { same[index] = keptIndexes[number] }
    guard !newIndexes.isEmpty, kept.count < before.count else { return same }
    var emptied: [SectionName: (index: Int, gap: Int)] = [:]
    var gap = 0
    for (index, name) in before.enumerated() {
      if gap < kept.count, kept[gap] == index { gap += 1 } else { emptied[name] = (index, gap) }
    }
    var group: [(old: Int, new: Int)] = []
    func close(_ group: inout [(old: Int, new: Int)]) {
      for position in LongestIncreasing(group.map(\.old)).positions { same[group[position].old] = group[position].new }
      group = []
    }
    for (number, new) in newIndexes.enumerated() {
      if number > 0, gaps[number] != gaps[number - 1] { close(&group) }
      if let old = emptied[names[new]], old.gap == gaps[number] { group.append((old.index, new)) }
    }
    close(&group)
    return same
  }
}
