/// The harness adds observers through the strategy's environment, which finds those that were never removed.
enum ObserverRule {
  static let home = "Sources/HarnessKit/Strategies/StrategyEnvironment.swift"

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.target == "HarnessKit", file.path != home else { return [] }
    return file.findings { line in
      line.words.contains("NotificationCenter")
        ? "NotificationCenter belongs into \(home): use StrategyEnvironment.addObserver" : nil
    }
  }
}
