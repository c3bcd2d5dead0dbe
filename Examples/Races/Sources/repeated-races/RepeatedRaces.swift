import Dispatch
import Foundation
import Races

/// Runs forms of the races as a test that is repeated: `repeated-races`, for a list of them; `repeated-races NAME FORM TIMES SECONDS`.
@main struct RepeatedRaces {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst().prefix { !$0.hasPrefix("-com.apple") }.map { $0 }
    guard words.count == 4, let race = Race.all.first(where: { $0.name == words[0] }), let times = Int(words[2]),
      let seconds = Double(words[3])
    else {
      for race in Race.all { print(race.name, race.hasHidden ? "hidden" : "", separator: "|") }
      return
    }
    let care: Care = words[1] == "hidden" ? .hidden : words[1] == "mended" ? .mended : .careless
    let end = Date() + seconds
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    var failed = 0
    var done = 0
    while done < times, Date() < end {
      let store = folder.appendingPathComponent("\(done)/store.sqlite")
      try FileManager.default.createDirectory(at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
      let watch = DispatchWorkItem { @Sendable [done] in
        print("hangs in repetition \(done)")
        exit(2)
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: watch)
      do { try await race.body(store, care) } catch { failed += 1 }
      watch.cancel()
      done += 1
      // A connection may be closed later than its race ends.
      try? FileManager.default.removeItem(at: store.deletingLastPathComponent())
    }
    print("fails in \(failed) of \(done)")
  }
}
