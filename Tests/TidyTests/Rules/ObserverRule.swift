/// The harness adds observers through the strategy's environment, which finds those that were never removed.
enum ObserverRule {
  static let home = "Sources/Cells/Strategies/StrategyEnvironment.swift"
  /// Observes for as long as the process lives, and is no leak of a strategy or a workload.
  static let recorder = "Sources/Cells/Recording/NotificationRecorder.swift"

  static func findings(in file: SourceFile) -> [Finding] {
    guard ["Cells", "Trials"].contains(file.target), file.path != home, file.path != recorder else { return [] }
    return file.findings { line in
      line.words.contains("NotificationCenter") && !line.words.contains("post")
        ? "observers belong into \(home): use StrategyEnvironment.addObserver" : nil
    }
  }
}
