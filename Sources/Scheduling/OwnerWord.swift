/// The word of a queue's turn: free, or the address of the record of the thread that has it, and whether others wait.
///
/// A thread takes the turn of a free queue, and gives it back with none waiting, by one exchange. With others waiting only the
/// owner of the turn changes the word, under the wait-for graph's lock; so do threads that join the line.
enum OwnerWord {
  /// No thread has the turn, and none waits.
  static let free: UInt = 0

  /// Others wait: the owner passes the turn on. Alone: a block has the turn, and its thread is on its way.
  static let hasLine: UInt = 1

  /// The address of the owner's record, 0 for none.
  @inline(__always)
  static func owner(_ word: UInt) -> UInt { word & ~hasLine }

  /// The owner.
  static func thread(_ word: UInt) -> ThreadRecord? {
    // Records are never freed.
    UnsafeRawPointer(bitPattern: owner(word)).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }
}
