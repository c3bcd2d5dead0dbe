import Foundation

/// Where the stores of `store-lifecycle` are: one that lasts, and those of each round.
struct LifecycleFiles: Sendable {
  private let folder: String

  init(in cellDirectory: String) { folder = cellDirectory + "/lifecycle" }

  /// The file that all clients of all processes write; judged after the last round.
  var shared: String { folder + "/shared.sqlite" }

  /// The file that all clients make at once.
  func created(in round: Int) -> String { "\(self.round(round))/created.sqlite" }

  /// The file that is exchanged while a client has it open.
  func victim(_ client: Int, in round: Int) -> String { "\(self.round(round))/victim-\(client).sqlite" }

  /// The file of one client alone.
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
