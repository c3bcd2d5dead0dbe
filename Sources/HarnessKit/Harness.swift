import Commands

/// The command of an executable that has strategies and workloads of its own.
///
/// ```swift
/// import HarnessKit
///
/// StrategyRegistry.register(MyStrategy.self)
/// WorkloadRegistry.register(MyWorkload.self)
/// Harness.main()
/// ```
public enum Harness {
  /// Runs the command of the command line and ends the process: every command of `contextbench`, with its options, files and
  /// exit codes, knows the strategies and workloads that this process has registered.
  ///
  /// The cells of a run are child processes of the same executable. Scenarios are found by their names where the package
  /// of the executable has a folder `Scenarios`.
  /// - Precondition: called on the main thread, after everything was registered.
  public static func main() -> Never { Program(allocator: "system").run() }
}
