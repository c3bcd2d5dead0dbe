import Foundation
import Testing
import XCTest

// As SwiftPM writes it for a test product: Swift Testing's tests where they are asked for, else those of XCTest.
if CommandLine.arguments.contains("swift-testing") {
  await (Testing.__swiftPMEntryPoint() as Never)
} else {
  XCTMain([testCase(OldTests.all)])
}
