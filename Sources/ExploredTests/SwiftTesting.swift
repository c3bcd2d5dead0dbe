import CInterception
import ContextTesting
import Foundation
import Scheduling
import Testing

/// Every test of Swift Testing comes here when the library collects them: the executable's function is called in place of the
/// library's. In a process that explores a test each gets a trait.
@_silgen_name("$s7Testing4TestV7__store_4into8asTypeAtSbACyYaYbc_SvSVtFZ")
public func storeTest(
  _ generator: @escaping @Sendable () async -> Test, _ place: UnsafeMutableRawPointer, _ type: UnsafeRawPointer
) -> CBool {
  guard let exploration = Exploration.requested else { return storeTestInLibrary(generator, place, type) }
  return storeTestInLibrary(
    {
      var test = await generator()
      if exploration.cases != nil { Together.add(&test) }
      // Before all others, so that each order has their work anew.
      test.traits.insert(ExploringTrait(exploration: exploration), at: 0)
      return test
    }, place, type)
}

/// The library's own function.
@_silgen_name("contextbench_store_test")
private func storeTestInLibrary(
  _ generator: @escaping @Sendable () async -> Test, _ place: UnsafeMutableRawPointer, _ type: UnsafeRawPointer
) -> CBool

/// Explores a case of a test in place of running it once, or all together; the verdict is in a file.
private struct ExploringTrait: SuiteTrait, TestTrait, TestScoping {
  /// Whether a trait of the kind runs the calling task: a test has its suite's as well.
  @TaskLocal private static var isInside = false

  let exploration: Exploration

  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> ExploringTrait? { testCase == nil ? nil : self }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard !Self.isInside else { return try await function() }
    if exploration.cases == 0 { return print(ExploredTest.caseLine) }
    await Self.$isInside.withValue(true) {
      await withoutActuallyEscaping(function) { body in
        if exploration.cases != nil { return await Together.join(test, testCase, of: exploration, body) }
        // An order without end holds the body: the process ends here.
        if exploration.explore({ try await body() }) != .passed { exit(EXIT_SUCCESS) }
      }
    }
  }
}
