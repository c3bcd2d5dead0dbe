import Testing

@testable import Measuring

struct StudentTTests {
  /// `scipy.stats.t.sf`.
  @Test(
    arguments: [
      (0.5, 1, 0.352_416_382_349_566_7), (2.0, 2, 0.091_751_709_536_136_98), (3.18, 3, 0.025_047_010_312_927_1),
      (-1.5, 4, 0.896), (2.5, 7, 0.020_496_109_292_876_44), (4.0, 18, 0.000_419_914_658_704_280_4),
      (6.0, 39, 2.589_443_912_786_545e-7),
    ])
  func theTailAgreesWithScipy(value: Double, degrees: Int, expected: Double) {
    #expect(abs(StudentT.upperTail(value, degrees: degrees) - expected) < 1e-14)
  }

  /// `scipy.stats.t.isf`.
  @Test(
    arguments: [
      (0.025, 2, 4.302_652_729_749_464), (0.025, 3, 3.182_446_305_283_709), (0.002_5, 4, 5.597_568_367_075_459),
      (0.025, 18, 2.100_922_040_241_039),
    ])
  func theQuantileAgreesWithScipy(share: Double, degrees: Int, expected: Double) {
    #expect(abs(StudentT.quantile(upperTail: share, degrees: degrees) - expected) < 1e-9)
  }

  @Test func theTailIsSymmetric() {
    for degrees in 1...30 {
      let sum = StudentT.upperTail(1.3, degrees: degrees) + StudentT.upperTail(-1.3, degrees: degrees)
      #expect(abs(sum - 1) < 1e-14)
    }
  }
}
