import Foundation
import Testing

@testable import Measuring

struct MachineTests {
  @Test func describesThisMachine() {
    let machine = Machine.current()
    #expect(machine.cores >= 1)
    #expect(machine.cores <= ProcessInfo.processInfo.processorCount)
    #expect(machine.kernel.hasPrefix("Linux "))
    #expect(["x86_64", "aarch64"].contains(machine.architecture))
    #expect((machine.memoryBytes ?? 0) > 1 << 28)
  }

  @Test(
    arguments: [
      ("Cpus_allowed:\t3\n", 2), ("Cpus_allowed:\tff,00000003\n", 10), ("Cpus_allowed:\t0\n", nil), ("", nil),
    ] as [(String, Int?)])
  func countsTheProcessorsItMayUse(status: String, expected: Int?) {
    #expect(Machine.usableCores(status: status) == expected)
  }

  @Test func valuesLoseBlanksAndQuotes() {
    let text = "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME = \"Debian 12: x=y\" \nID=debian\nnonsense\n"
    #expect(SystemFile.value(of: "PRETTY_NAME", separator: "=", in: text) == "Debian 12: x=y")
    #expect(SystemFile.value(of: "ID", separator: "=", in: text) == "debian")
    #expect(SystemFile.value(of: "VERSION", separator: "=", in: text) == nil)
  }

  @Test func theMachineSurvivesJSON() throws {
    let machine = Machine.current()
    #expect(try JSONDecoder().decode(Machine.self, from: JSONEncoder().encode(machine)) == machine)
  }
}
