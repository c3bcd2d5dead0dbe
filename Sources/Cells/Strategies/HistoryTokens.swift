import Boundary
import CoreData

/// How far the main of each process has followed the history: in files beside the store, as an app and its extension share
/// them, where there are several processes.
///
/// Concurrency: used on the main thread.
final class HistoryTokens {
  /// The last transaction that a main has.
  private struct Place: Codable {
    let number: Int64
    /// The archived token.
    let token: Data
  }

  private let share: ProcessShare
  private let folder: URL?
  private var own: Place?

  init(_ environment: StrategyEnvironment) {
    share = environment.share
    folder = environment.container.persistentStoreDescriptions.first?.url?.deletingLastPathComponent()
  }

  /// Notes that main has a transaction, and all before it; nil: it has none.
  func keep(_ transaction: NSPersistentHistoryTransaction?) {
    guard let transaction,
      let token = try? NSKeyedArchiver.archivedData(withRootObject: transaction.token, requiringSecureCoding: true)
    else { return }
    let place = Place(number: transaction.transactionNumber, token: token)
    own = place
    guard share.count > 1, let file = file(of: share.index) else { return }
    // A process that finds no token, or an older one, deletes less.
    try? JSONEncoder().encode(place).write(to: file, options: .atomic)
  }

  /// The token of the main that has least; nil where one has none.
  var oldest: NSPersistentHistoryToken? {
    var places: [Place] = []
    for index in 0..<share.count {
      guard let place = index == share.index ? own : read(index) else { return nil }
      places.append(place)
    }
    guard let oldest = places.min(by: { $0.number < $1.number }) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: oldest.token)
  }

  private func read(_ index: Int) -> Place? {
    file(of: index).flatMap { try? Data(contentsOf: $0) }.flatMap { try? JSONDecoder().decode(Place.self, from: $0) }
  }

  private func file(of index: Int) -> URL? { folder?.appendingPathComponent("history-token-\(index).json") }
}
