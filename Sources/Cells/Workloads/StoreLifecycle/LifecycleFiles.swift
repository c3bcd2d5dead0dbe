import Foundation

/// Where the stores of `store-lifecycle` are: one that lasts, and those of each round.
struct LifecycleFiles: Sendable {
  private let folder: String

  init(in cellDirectory: String) { folder = cellDirectory + "/lifecycle" }

  /// What all clients of all processes write to, round after round; it is judged in the end.
  var shared: String { folder + "/shared.sqlite" }

  /// What all clients make at once.
  func created(in round: Int) -> String { "\(self.round(round))/created.sqlite" }

  /// What a client has open while it is exchanged.
  func victim(_ client: Int, in round: Int) -> String { "\(self.round(round))/victim-\(client).sqlite" }

  /// What only one client knows.
  func own(_ client: Int, in round: Int) -> String { "\(self.round(round))/own-\(client).sqlite" }

  /// A client's copy of the shared store.
  func copy(_ client: Int, in round: Int) -> String { "\(self.round(round))/copy-\(client).sqlite" }

  /// Makes a round's folder; where it is there already, another process was first.
  func make(_ round: Int) throws {
    try FileManager.default.createDirectory(atPath: self.round(round), withIntermediateDirectories: true)
  }

  /// Removes a round's stores.
  func remove(_ round: Int) throws { try FileManager.default.removeItem(atPath: self.round(round)) }

  private func round(_ number: Int) -> String { "\(folder)/round-\(number)" }
}
