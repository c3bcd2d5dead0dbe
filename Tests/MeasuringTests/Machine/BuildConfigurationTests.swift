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

  @Test func onlyAPlainReleaseBuildIsComparable() {
    #expect(BuildConfiguration(optimization: .release).isComparable)
    #expect(!BuildConfiguration(optimization: .debug).isComparable)
    #expect(!BuildConfiguration(optimization: .release, sanitizer: .thread).isComparable)
  }
}
