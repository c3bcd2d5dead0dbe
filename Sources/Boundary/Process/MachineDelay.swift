import Measuring

/// The delays that the machine caused a process, in seconds since a beginning.
package struct MachineDelay: Sendable, Equatable {
  /// While one of its threads was ready to run and had no processor: of the one that waited longest.
  package var processor = 0.0
  /// While the host of this virtual machine took its processors: the mean of all of them.
  package var stolen = 0.0
  /// While all of the machine waited for memory.
  package var memory = 0.0
  /// While its watcher did not run: both were stopped, as a rule.
  package var unwatched = 0.0
  /// While a signal or the freezer of its control group had stopped it, and not its watcher.
  package var stopped = 0.0

  package init(
    processor: Double = 0, stolen: Double = 0, memory: Double = 0, unwatched: Double = 0, stopped: Double = 0
  ) {
    precondition(
      processor >= 0 && stolen >= 0 && memory >= 0 && unwatched >= 0 && stopped >= 0,
      "a delay does not give time back")
    self.processor = processor
    self.stolen = stolen
    self.memory = memory
    self.unwatched = unwatched
    self.stopped = stopped
  }

  /// How much later than on a machine of its own the process may be.
  package var total: Double { processor + stolen + memory + unwatched + stopped }

  /// The parts that there are, in words.
  package var text: String {
    let parts = [
      (processor, "its threads were ready and had no processor"), (stolen, "the host took the processors"),
      (memory, "the machine waited for memory"), (unwatched, "the run itself was stopped"),
      (stopped, "it was stopped"),
    ]
    let known = parts.filter { $0.0 >= 0.05 }
    return known.map { "for \(Self.tenths($0.0)) s \($0.1)" }.joined(separator: ", ")
  }

  private static func tenths(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// Measures the ``MachineDelay`` of a process from its own making on.
package struct MachineDelayMeter {
  private let process: Int32
  private let threads: [Int32: UInt64]
  private let steal = MachineActivity.current()?.stealSeconds
  private let memory = MachineActivity.memoryStallSeconds()

  package init(ofProcess id: Int32) {
    precondition(id > 0, "a process has a number")
    process = id
    threads = ProcessorDelay.nanosecondsByThread(ofProcess: id)
  }

  /// Whether a signal, or the freezer of its control group, has stopped the process.
  package var isStopped: Bool { ProcessorDelay.isStopped(process) }

  /// The delay until now.
  package func delay() -> MachineDelay {
    let waits = ProcessorDelay.nanosecondsByThread(ofProcess: process).map { thread, now in
      // The number of a thread that ended may be a new one's.
      now - min(now, threads[thread] ?? 0)
    }
    var delay = MachineDelay(processor: Double(waits.max() ?? 0) / 1e9)
    if let steal, let now = MachineActivity.current()?.stealSeconds {
      delay.stolen = max(0, now - steal) / Double(MachineActivity.processors)
    }
    if let memory, let now = MachineActivity.memoryStallSeconds() { delay.memory = max(0, now - memory) }
    return delay
  }
}
