/// Which contexts the nested blocks belong to, from the outermost in.
enum NestingDirection: String, CaseIterable {
  /// Main, then A, B, A, …; on the main thread.
  case mainToPrivate = "main-to-private"
  /// A, B, A, … and main innermost; on a background thread.
  case privateToMain = "private-to-main"
  /// A, B, A, …; on a background thread.
  case amongPrivate = "a-b-a"

  /// Which context the block at `level`, counted from 0, belongs to.
  func place(at level: Int, of depth: Int) -> Place {
    precondition(0..<depth ~= level, "a level is one of the depth's")
    return switch self {
    case .mainToPrivate: level == 0 ? .main : (level.isMultiple(of: 2) ? .b : .a)
    case .privateToMain: level == depth - 1 ? .main : (level.isMultiple(of: 2) ? .a : .b)
    case .amongPrivate: level.isMultiple(of: 2) ? .a : .b
    }
  }

  /// One of the contexts a client nests.
  enum Place {
    case main, a, b
  }
}
