import Foundation
import Scheduling

@testable import CoreData
@testable import RowStore

/// Two steps, one inside the other: the second at one of the checkpoints that the first passes.
///
/// The second runs on the thread of the first, so that each pair is one and the same interleaving every time.
final class Interleaving: @unchecked Sendable {
  // Sendable: everything is only touched by the thread that made it; other threads of the process pass checkpoints too.

  private let thread = pthread_self()
  private let position: Int
  private let inner: (Checkpoint) -> Void
  private var passed = 0
  private var isInside = false
  /// Where the inner step ran; nil while it has not.
  private(set) var place: Checkpoint?

  private init(at position: Int, _ inner: @escaping (Checkpoint) -> Void) {
    self.position = position
    self.inner = inner
  }

  private func pass(_ place: Checkpoint) {
    guard pthread_equal(pthread_self(), thread) != 0, !isInside, Self.places.contains(place) else { return }
    defer { passed += 1 }
    guard passed == position else { return }
    isInside = true
    defer { isInside = false }
    self.place = place
    inner(place)
  }

  private static let places: Set<Checkpoint> = [
    Checkpoints.beforeWrite, Checkpoints.beforeCommit, StoreCheckpoints.committed, Checkpoints.afterCommit,
    StoreCheckpoints.beforeRead, StoreCheckpoints.afterRead,
  ]

  /// Runs `outer`, with `inner` at its checkpoint number `position`, counted from 0; the place, or nil where `outer` passes
  /// no more than `position` of them.
  static func run(
    at position: Int, outer: () throws -> Void, inner: @escaping (Checkpoint) -> Void
  ) rethrows -> Checkpoint? {
    let interleaving = Interleaving(at: position, inner)
    try Checkpoint.watching({ place, _ in interleaving.pass(place) }, outer)
    return interleaving.place
  }
}
