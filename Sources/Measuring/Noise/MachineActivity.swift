#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The work of the whole machine since it was started, and the part of this process and its children.
///
/// The kernel counts in ticks, mostly of 10 ms: differences over less than some of them say little.
package struct MachineActivity: Sendable, Hashable {
  /// CPU seconds of all processes.
  package var busySeconds: Double
  /// CPU seconds that the host of this virtual machine gave to others.
  package var stealSeconds: Double
  /// CPU seconds of this process and of those of its children that have ended.
  package var ownSeconds: Double

  /// Reads the counters; nil where the system does not tell.
  package static func current() -> MachineActivity? {
    guard let text = SystemFile.text("/proc/stat") else { return nil }
    return MachineActivity(
      stat: text, ticksPerSecond: Double(max(1, sysconf(Int32(_SC_CLK_TCK)))),
      ownSeconds: cpuSeconds(0) + cpuSeconds(-1))
  }

  /// - SeeAlso: proc(5), `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal.
  init?(stat: String, ticksPerSecond: Double, ownSeconds: Double) {
    precondition(ticksPerSecond > 0, "a second has ticks")
    guard let line = stat.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
    let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard ticks.count >= 8 else { return nil }
    busySeconds = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / ticksPerSecond
    stealSeconds = ticks[7] / ticksPerSecond
    self.ownSeconds = ownSeconds
  }

  /// CPU seconds of others, and those stolen, from an earlier reading to this one.
  package func others(since earlier: MachineActivity) -> (others: Double, steal: Double) {
    let own = ownSeconds - earlier.ownSeconds
    return (max(0, busySeconds - earlier.busySeconds - own), max(0, stealSeconds - earlier.stealSeconds))
  }

  /// Processors that are in use.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Processes that want to run, mean of the last minute.
  package static func loadAverage() -> Double? {
    SystemFile.text("/proc/loadavg").flatMap { $0.split(separator: " ").first }.flatMap { Double($0) }
  }

  /// Share of the last ten seconds in which some task had to wait for a processor, in 0…1; nil where the kernel does not
  /// measure it.
  ///
  /// - SeeAlso: The kernel's "PSI - Pressure Stall Information".
  package static func processorPressure() -> Double? {
    SystemFile.text("/proc/pressure/cpu").flatMap(processorPressure(text:))
  }

  /// Seconds since the start in which every process waited until memory was freed; nil where the kernel
  /// does not measure it.
  package static func memoryStallSeconds() -> Double? {
    SystemFile.text("/proc/pressure/memory").flatMap(memoryStallSeconds(text:))
  }

  static func memoryStallSeconds(text: String) -> Double? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("full ") }),
      let field = line.split(separator: " ").first(where: { $0.hasPrefix("total=") })
    else { return nil }
    return Double(field.dropFirst(6)).map { $0 / 1e6 }
  }

  static func processorPressure(text: String) -> Double? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") }),
      let field = line.split(separator: " ").first(where: { $0.hasPrefix("avg10=") })
    else { return nil }
    return Double(field.dropFirst(6)).map { $0 / 100 }
  }

  // RUSAGE_SELF is 0 and RUSAGE_CHILDREN is -1, which Swift sees as an enumeration.
  private static func cpuSeconds(_ who: CInt) -> Double {
    var usage = rusage()
    getrusage(who, &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}
