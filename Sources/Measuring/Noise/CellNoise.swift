/// Other work on the machine while a cell ran; nil where the system does not tell.
package struct CellNoise: Codable, Sendable, Hashable {
  /// Seconds that a fixed piece of work took just before.
  package var probeSeconds: Double?
  /// CPU seconds of processes that do not belong to the run.
  package var othersCPUSeconds: Double?
  /// CPU seconds that the host of a virtual machine gave to others.
  package var stealSeconds: Double?
  /// Processes that wanted to run, mean of the minute before.
  package var loadAverage: Double?

  /// Nothing measured.
  package init() {}

  /// The other work between two readings of the machine, behind a probe.
  package init(probeSeconds: Double, before: MachineActivity?, after: MachineActivity?, loadAverage: Double?) {
    precondition(probeSeconds >= 0, "a probe does not end before it begins")
    self.probeSeconds = probeSeconds
    self.loadAverage = loadAverage
    guard let before, let after else { return }
    let others = after.others(since: before)
    othersCPUSeconds = others.others
    stealSeconds = others.steal
  }
}
