/// No wait and no limit counts the time that the machine sleeps: nothing could have happened meanwhile.
enum ClockRule {
  static let words: Set<String> = ["ContinuousClock", "CLOCK_BOOTTIME", "DispatchWallTime"]

  static func findings(in file: SourceFile) -> [Finding] {
    file.findings { line in
      line.words.map(String.init).first(where: words.contains).map {
        "\($0) runs while the machine sleeps: use MonotonicClock or SuspendingClock"
      }
    }
  }
}
