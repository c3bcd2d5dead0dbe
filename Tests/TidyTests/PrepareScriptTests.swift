import Foundation
import Testing

/// `scripts/prepare` on machines that are made up of stand-ins for its tools.
struct PrepareScriptTests {
  static let packages = "pkg-config libsqlite3-dev libjemalloc-dev zlib1g-dev"

  @Test func aPreparedMachineIsLeftAlone() throws {
    let machine = try StandInMachine(["swift": "echo 'Swift version 6.2 (x)'", "pkg-config": "exit 0"])
    #expect(try machine.prepare() == .init(status: 0, text: "", calls: []))
  }

  @Test func rootInstallsWhatIsMissing() throws {
    let machine = try StandInMachine([
      "swift": "echo 'Swift version 6.3.1 (x)'", "pkg-config": "exit 1", "id": "echo 0", "apt-get": StandInMachine.log,
    ])
    let outcome = try machine.prepare()
    #expect(outcome.status == 0)
    #expect(
      outcome.calls == ["apt-get update -q", "apt-get install -y --no-install-recommends \(Self.packages)"])
  }

  @Test func sudoIsUsedWhenItAsksNothing() throws {
    let machine = try StandInMachine([
      "swift": "echo 'Swift version 7.0'", "pkg-config": "exit 1", "id": "echo 1000", "apt-get": StandInMachine.log,
      "sudo": "shift; exec \"$@\"",
    ])
    let outcome = try machine.prepare()
    #expect(outcome.status == 0)
    #expect(outcome.calls.count == 2)
  }

  @Test(arguments: [nil, "exit 1"])
  func withoutRightsTheExactLineIsPrinted(sudo: String?) throws {
    var tools = [
      "swift": "echo 'Swift version 6.2'", "pkg-config": "exit 1", "id": "echo 1000", "apt-get": StandInMachine.log,
    ]
    tools["sudo"] = sudo
    let outcome = try StandInMachine(tools).prepare()
    #expect(outcome.status == 69)
    #expect(outcome.calls == [])
    #expect(
      outcome.text.contains(
        "  sudo apt-get update && sudo apt-get install -y --no-install-recommends \(Self.packages)\n"))
  }

  @Test func anInstallationThatFailsStops() throws {
    let machine = try StandInMachine([
      "swift": "echo 'Swift version 6.2'", "pkg-config": "exit 1", "id": "echo 0", "apt-get": "exit 100",
    ])
    let outcome = try machine.prepare()
    #expect(outcome.status == 69)
    #expect(outcome.text.contains("  apt-get update && apt-get install -y"))
  }

  @Test func aSystemWithoutAptGetIsReported() throws {
    let outcome = try StandInMachine(["swift": "echo 'Swift version 6.2'", "pkg-config": "exit 1"]).prepare()
    #expect(outcome.status == 69)
    #expect(outcome.text.contains("package manager"))
  }

  @Test(arguments: ["Swift version 6.1.2 (x)", "Apple Swift version 5.10"])
  func anOldSwiftIsRefused(version: String) throws {
    let outcome = try StandInMachine(["swift": "echo '\(version)'", "pkg-config": "exit 0"]).prepare()
    #expect(outcome.status == 69)
    #expect(outcome.text.contains("needs Swift 6.2 or newer"))
  }

  @Test func aMissingSwiftIsNamed() throws {
    let outcome = try StandInMachine(["pkg-config": "exit 0"]).prepare()
    #expect(outcome.status == 69)
    #expect(outcome.text.contains("no swift in PATH"))
  }
}
