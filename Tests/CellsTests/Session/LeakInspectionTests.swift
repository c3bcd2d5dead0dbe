import Boundary
import Testing

@testable import Cells

struct LeakInspectionTests {
  @Test(
    arguments: [
      (2.9, MachineDelay(), .look), (3.1, MachineDelay(), .report),
      (3.1, MachineDelay(processor: 1), .look), (4.1, MachineDelay(processor: 1), .report),
      (4.1, MachineDelay(processor: 0.5, stolen: 0.5, memory: 0.5), .look),
      (9.1, MachineDelay(processor: 6), .report), (9.1, MachineDelay(processor: 7), .giveUp),
    ] as [(Double, MachineDelay, LeakInspection.Step)])
  func whatTheMachineTookIsNotWaitedFor(seconds: Double, delay: MachineDelay, step: LeakInspection.Step) {
    #expect(LeakInspection.step(afterSeconds: seconds, delay: delay) == step)
  }
}
