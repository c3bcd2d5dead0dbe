/// The name of a section: names are equal by their code points, by which they are sorted (S7.1), not by how they look.
struct SectionName: Hashable, ExpressibleByStringLiteral {
  let text: String

  init(_ text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }

  static func == (left: SectionName, right: SectionName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// The elements that a controller shows, in the order of their keys, in sections of equal names: a pure structure.
///
/// It keeps each element's key as it was when the element was last placed, so that a change looks only at the elements that
/// changed. A key that was not needed yet is read when an element is compared first.
struct ResultsList<Element: AnyObject, Key> {
  struct Section: Equatable {
    let name: SectionName
    /// Offset of the section's first element.
    var start: Int
  }

  /// Where an element belongs.
  struct Destination {
    let key: Key
    /// Name of the section; the same for all elements of a list without sections.
    let section: SectionName
  }

  /// A section name that comes again after another one.
  struct OutOfOrder: Error {
    let index: Int
    let name: SectionName
  }

  var elements: [Element] = []
  /// One for each element.
  var keys: ContiguousArray<Key?> = []
  var sections: [Section] = []
  /// Whether there are sections; otherwise there is exactly one, which stays.
  let isSectioned: Bool
  /// Below, at or above zero as the first key comes before, with or after the second.
  let order: (Key, Key) -> Int
  /// The key of an element that was not compared before.
  let readKey: (Element) -> Key

  init(isSectioned: Bool, order: @escaping (Key, Key) -> Int, readKey: @escaping (Element) -> Key) {
    self.isSectioned = isSectioned
    self.order = order
    self.readKey = readKey
    if !isSectioned { sections = [Section(name: "", start: 0)] }
  }

  /// Takes a list that is in order.
  ///
  /// - Parameters:
  ///   - keys: those of the elements, or nothing when they are to be read as needed.
  ///   - names: the section names of the elements; nothing without sections.
  mutating func fill(_ elements: [Element], keys: [Key], names: [SectionName]) throws(OutOfOrder) {
    self.elements = elements
    self.keys = keys.isEmpty ? ContiguousArray(repeating: nil, count: elements.count) : ContiguousArray(keys)
    precondition(self.keys.count == elements.count, "each element has a key, or none yet")
    guard isSectioned else { return }
    precondition(names.count == elements.count, "each element has the name of its section")
    sections = []
    var known: Set<SectionName> = []
    for (offset, name) in names.enumerated() where name != sections.last?.name {
      guard known.insert(name).inserted else { throw OutOfOrder(index: offset, name: name) }
      sections.append(Section(name: name, start: offset))
    }
  }

  // MARK: Asking

  /// Index after the section's last element.
  func end(ofSection index: Int) -> Int { index + 1 < sections.count ? sections[index + 1].start : elements.count }

  /// The section an element is in. Complexity: O(log *sections*).
  func section(at offset: Int) -> Int {
    var (low, high) = (0, sections.count)
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  func place(at offset: Int) -> ResultsDiff<Element>.Place {
    let section = section(at: offset)
    return .init(section: section, item: offset - sections[section].start, offset: offset)
  }

  /// Complexity: O(*n*) comparisons of addresses.
  func offset(of element: Element) -> Int? { elements.firstIndex { $0 === element } }

  /// Where these elements are; nil for those that are not in the list.
  func offsets(of wanted: [Element]) -> [Int?] {
    guard wanted.count > Self.fewMax else { return wanted.map(offset) }
    let positions = Dictionary(
      wanted.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
    var found = [Int?](repeating: nil, count: wanted.count)
    for (offset, element) in elements.enumerated() {
      if let position = positions[ObjectIdentifier(element)] { found[position] = offset }
    }
    return found
  }

  /// Number of changes that are carried out one by one; more in a pass over the list.
  static var fewMax: Int { 8 }

  // MARK: Searching

  /// The key at an offset, read where it was not needed so far.
  private mutating func key(at offset: Int) -> Key {
    if let key = keys[offset] { return key }
    let key = readKey(elements[offset])
    keys[offset] = key
    return key
  }

  /// The first offset in the range with a key after `key`, or, not `after` it, at or after it.
  mutating func bound(_ key: Key, in range: Range<Int>, after isUpper: Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      let order = order(self.key(at: middle), key)
      if order < 0 || (isUpper && order == 0) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The index that a new section with `key` first gets among the sections.
  mutating func sectionBound(_ key: Key) -> Int {
    var (low, high) = (0, sections.count)
    while low < high {
      let middle = (low + high) / 2
      if order(self.key(at: sections[middle].start), key) <= 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
