/// No wait and no limit counts the time that the machine sleeps: nothing could have happened meanwhile.
enum ClockRule {
  static let words: Set<String> = ["ContinuousClock", "CLOCK_BOOTTIME", "DispatchWallTime"]

  /// Answers whichever clock the program asks for, and waits for none.
  private static let answering = "Sources/CInterception/clocks.c"

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.path != answering else { return [] }
    return file.findings { line in
      line.words.map(String.init).first(where: words.contains).map {
        "\($0) runs while the machine sleeps: use MonotonicClock or SuspendingClock"
      }
    }
  }
}
