import Foundation
import Testing

@testable import Reporting

struct RunNameTests {
  @Test(
    arguments: [
      (0.0, 0, "19700101-000000-0000"), (1_767_323_045, 0xAB, "20260102-030405-00ab"),
      (1_798_761_599, 0xFFFF, "20261231-235959-ffff"),
    ] as [(Double, UInt16, String)])
  func namesAreTheStartInUTC(seconds: Double, suffix: UInt16, expected: String) {
    #expect(RunName.make(at: Date(timeIntervalSince1970: seconds), suffix: suffix) == expected)
  }

  @Test func namesSortByTime() {
    let names = (0..<200).map { RunName.make(at: Date(timeIntervalSince1970: Double($0) * 86_399 * 31), suffix: 0) }
    #expect(names == names.sorted())
    #expect(Set(names).count == names.count)
  }
}
