import Foundation

/// The time of an event by a cache's clock, in four bytes: 64ths of a second, rounded down.
///
/// After 776 days no time is later than the last that fits: later events seem older than they are, never younger.
package struct CacheTime: Comparable, Sendable {
  static let begin = CacheTime(ticks: 0)

  private let ticks: UInt32

  private init(ticks: UInt32) { self.ticks = ticks }

  /// - Parameter seconds: since the clock began.
  init(seconds: Double) { ticks = UInt32(min(max(seconds * 64, 0), Double(UInt32.max))) }

  /// Since the clock began.
  var seconds: Double { Double(ticks) / 64 }

  package static func < (left: CacheTime, right: CacheTime) -> Bool { left.ticks < right.ticks }
}

/// A cache's clock, which never goes back.
package struct CacheClock {
  private let begin = ProcessInfo.processInfo.systemUptime
  /// Seconds by which tests have put it forward.
  package var offset = 0.0

  private var seconds: Double { ProcessInfo.processInfo.systemUptime - begin + offset }

  var now: CacheTime { CacheTime(seconds: seconds) }

  /// Seconds since then, or up to a 64th more.
  func age(of time: CacheTime) -> Double { seconds - time.seconds }
}
