import Foundation

/// Makes the identifier of a run.
package enum RunName {
  /// `yyyyMMdd-HHmmss-xxxx`: the start in UTC, so that names sort by time, and a suffix that tells apart two runs of
  /// one second.
  package static func make(
    at date: Date = Date(), suffix: UInt16 = UInt16.random(in: .min ... .max)
  ) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    func two(_ number: Int?) -> String { padded(String(number ?? 0), to: 2) }
    let day = padded(String(parts.year ?? 0), to: 4) + two(parts.month) + two(parts.day)
    let time = two(parts.hour) + two(parts.minute) + two(parts.second)
    precondition(day.utf8.count == 8 && time.utf8.count == 6, "names sort by time, since their parts have fixed widths")
    return "\(day)-\(time)-\(padded(String(suffix, radix: 16), to: 4))"
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func padded(_ digits: String, to count: Int) -> String {
    String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
