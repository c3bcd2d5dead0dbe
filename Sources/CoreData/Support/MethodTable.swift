/// The words of a class's metadata, its method table among them: a subclass has its superclass's entries at the same
/// places, each with its own implementation or the inherited one.
struct MethodTable {
  private let words: UnsafeMutablePointer<UInt>

  init(_ type: AnyClass) { words = unsafeBitCast(type, to: UnsafeMutablePointer<UInt>.self) }

  subscript(entry: Int) -> UInt { words[entry] }

  /// Gives the class that entry of another class.
  ///
  /// Instances of the class run the method from then on; subclasses have entries of their own.
  /// - Precondition: the method reads nothing that instances of this class lack.
  func adopt(_ entry: Int, of other: MethodTable) { words[entry] = other[entry] }

  /// The one entry of `base` that `probe`, a subclass, overrides; nil when it is not exactly one.
  ///
  /// Entries that differ in `plain`, a subclass too, are no methods of the probe's: names, initialisers.
  static func overriddenEntry(of probe: AnyClass, comparedWith plain: AnyClass, base: AnyClass) -> Int? {
    #if os(Linux)
      let (base, probe, plain) = (MethodTable(base), MethodTable(probe), MethodTable(plain))
      guard let count = base.count, probe.count == count, plain.count == count else { return nil }
      let entries = (headerWords..<count).filter { probe[$0] != base[$0] && plain[$0] == base[$0] }
      return entries.count == 1 ? entries[0] : nil
    #else
      return nil
    #endif
  }

  /// Kind, superclass, flags, instance size, class size, descriptor, destroyer of variables.
  private static let headerWords = 7
  private static let wordsMax = 4_096

  /// How many words there are from the address of the metadata on; nil where that makes no sense.
  ///
  /// Word 4 has the size of the metadata in bytes in its lower half, and how many of them are before its address in
  /// the upper one. (Swift ABI, "TypeMetadata", class metadata without Objective-C.)
  private var count: Int? {
    let size = Int(words[4] & 0xFFFF_FFFF)
    let before = Int(words[4] >> 32)
    let count = (size - before) / MemoryLayout<UInt>.size
    return count > MethodTable.headerWords && count <= MethodTable.wordsMax ? count : nil
  }
}
