/// The waits of a process's threads at its deadline, in words: from the stacks that it wrote, made readable.
///
/// A wait for a lock that the stack under test does not know, such as an `NSLock` of the app's, is in no graph of waits: only
/// the stacks show which thread holds up which.
enum ThreadWaits {
  /// Threads that are named; more are in the file.
  private static let threadsMax = 4

  /// A frame: the file of the code, and the function when it has a name.
  private typealias Frame = (file: Substring, function: String?)

  /// For each thread that waits inside code of a strategy or a workload, the place and the function; empty without one.
  ///
  /// - Parameters:
  ///   - text: the stacks, a thread after the other, each below a line that begins with `thread`.
  ///   - executable: the process's program.
  static func summary(of text: String, executable: String) -> String {
    let program = executable.split(separator: "/").last ?? ""
    var waits: [String] = []
    for block in text.split(separator: "\n\n") {
      let lines = block.split(separator: "\n")
      guard let thread = lines.first?.firstMatch(of: #/^thread (?<number>\d+)/#)?.number else { continue }
      var frames = lines.dropFirst().compactMap { frame($0) }[...]
      // Frames of the handler that writes the stacks are no wait.
      if let handler = frames.lastIndex(where: { isHandler($0.function) }) { frames = frames[(handler + 1)...] }
      guard let place = frames.firstIndex(where: { isOwn($0, program) }), let function = frames[place].function else {
        continue
      }
      let inner = frames[..<place].last { $0.function != nil }?.function
      waits.append("thread \(thread) in \(function)" + (inner.map { ", which waits in \($0)" } ?? ""))
    }
    let more = waits.count > threadsMax ? "; \(waits.count - threadsMax) more" : ""
    return waits.prefix(threadsMax).joined(separator: "; ") + more
  }

  private static func isHandler(_ function: String?) -> Bool {
    guard let function else { return false }
    return function.hasSuffix("dump_signal") || function.hasSuffix("thread_signal")
  }

  /// Reads `file(function+0x1a)[0x55…]`.
  private static func frame(_ line: Substring) -> Frame? {
    guard let open = line.firstIndex(of: "("), let end = line.lastIndex(of: ")"), open < end else { return nil }
    let symbol = line[line.index(after: open)..<end].replacing(#/\+0x[0-9a-f]+$/#, with: "")
    return (line[..<open].split(separator: "/").last ?? "", symbol.isEmpty ? nil : StackDump.shortened(String(symbol)))
  }

  /// Whether a frame is of code that uses the stack, and not of the code that runs it: threads that wait for work have none.
  private static func isOwn(_ frame: Frame, _ program: Substring) -> Bool {
    guard frame.file == program, let function = frame.function, function != "_start", function != "main" else {
      return false
    }
    return !machinery.contains { function.contains($0) }
  }

  /// The stack, the code that serves queues, threads and the program itself, and thunks.
  private static let machinery = [
    "CoreData.", "RowStore.", "SQLite.", "Scheduling.", "Commands.", "ArgumentParser.", "reabstraction thunk",
    "partial apply", "protocol witness",
    "CellRunner.", "Swift.",
  ]
}
