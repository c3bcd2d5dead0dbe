import CInterception
import Foundation
import Scheduling

/// Says which observers of notifications are added, and how long the notification centre keeps them.
enum ObserverWatch {
  /// Lives as long as the centre keeps an observer's block.
  final class Sign: Sendable {}

  private static let listener = Locked<(@Sendable (String) -> Sign)?>(nil)

  /// Has `listener` called with the notification's name for each observer that a task of a simulation adds.
  static func setListener(_ listener: (@Sendable (String) -> Sign)?) { self.listener.withLock { $0 = listener } }

  fileprivate static func sign(_ name: Notification.Name?) -> Sign? {
    guard Simulation.isCurrent else { return nil }
    return listener.current?(name?.rawValue ?? "every notification")
  }
}

extension NotificationCenter {
  /// The executable's function is called in place of Foundation's.
  @_silgen_name(
    "$s20FoundationEssentials18NotificationCenterC0A0E11addObserver7forName6object5queue5usingAD16NSObjectProtocol_pAD14NSNotificationC0H0VSg_ypSgAD14OperationQueueCSgyAD0C0VYbctF"
  )
  func addWatchedObserver(
    forName name: Notification.Name?, object: Any?, queue: AnyObject?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol {
    guard let sign = ObserverWatch.sign(name) else {
      return addObserverOfFoundation(forName: name, object: object, queue: queue, using: block)
    }
    return addObserverOfFoundation(forName: name, object: object, queue: queue) { notification in
      withExtendedLifetime(sign) { block(notification) }
    }
  }

  /// Foundation's own function.
  @_silgen_name("contextbench_add_observer")
  private func addObserverOfFoundation(
    forName name: Notification.Name?, object: Any?, queue: AnyObject?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol
}
