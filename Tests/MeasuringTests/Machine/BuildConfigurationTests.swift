import Foundation
import Testing

@testable import Measuring

struct BuildConfigurationTests {
  @Test func knowsHowItWasBuilt() {
    #if DEBUG
      #expect(BuildConfiguration.current.optimization == .debug)
    #else
      #expect(BuildConfiguration.current.optimization == .release)
    #endif
  }

  /// `scripts/test` says how it builds; nothing else does.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CONTEXTBENCH_TEST_SANITIZER"] != nil))
  func knowsItsSanitizer() {
    let name = ProcessInfo.processInfo.environment["CONTEXTBENCH_TEST_SANITIZER"]
    #expect(BuildConfiguration.current.sanitizer?.rawValue ?? "none" == name)
  }

  @Test func onlyAPlainReleaseBuildIsComparable() {
    #expect(BuildConfiguration(optimization: .release).isComparable)
    #expect(!BuildConfiguration(optimization: .debug).isComparable)
    #expect(!BuildConfiguration(optimization: .release, sanitizer: .thread).isComparable)
  }
}
