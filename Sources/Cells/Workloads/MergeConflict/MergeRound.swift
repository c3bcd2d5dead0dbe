/// The parts of a merge conflict's clients in one row: which client sets which properties, or deletes it.
struct MergeRound: Sendable, Equatable {
  /// Properties of a row.
  static let propertyCount = 4

  /// The part of one client.
  enum Part: Sendable, Equatable {
    case set([Int])
    case delete
  }

  /// By client, in the order of their saves.
  let parts: [Part]

  /// The round of a number, from 0: all set the same property, each its own, each its own and its neighbour's; then the
  /// last one deletes the row, and then the first one.
  init(_ number: Int, clients: Int, deletes: Bool) {
    precondition(number >= 0 && clients > 0, "a round has a number and clients")
    let kinds = deletes ? 5 : 3
    parts = (0..<clients).map { client in
      let own = client % Self.propertyCount
      switch number % kinds {
      case 0: return .set([0])
      case 1: return .set([own])
      case 3 where client == clients - 1: return .delete
      case 4 where client == 0: return .delete
      default: return .set([own, (own + 1) % Self.propertyCount])
      }
    }
  }
}
