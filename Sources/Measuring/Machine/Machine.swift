#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The machine of the measurements; nil where the system does not tell.
package struct Machine: Codable, Sendable, Hashable {
  /// Name of the processor.
  package var cpuModel: String?
  /// Logical processors this process may run on.
  package var cores: Int
  /// Bytes of physical memory.
  package var memoryBytes: UInt64?
  /// Kernel name and release.
  package var kernel: String
  /// Name of the distribution.
  package var operatingSystem: String?
  /// Instruction set: `x86_64`, `aarch64`, …
  package var architecture: String
  /// Processes that wanted to run, mean of the last minute, when the machine was described.
  package var loadAverage: Double?
  /// How the first processor chooses its frequency: `performance`, `powersave`, …
  package var governor: String?

  /// Describes this machine now.
  package static func current() -> Machine {
    let cpu = SystemFile.text("/proc/cpuinfo") ?? ""
    let memory = SystemFile.text("/proc/meminfo") ?? ""
    let release = SystemFile.text("/etc/os-release") ?? SystemFile.text("/usr/lib/os-release") ?? ""
    let system = unixName()
    return Machine(
      cpuModel: SystemFile.value(of: "model name", separator: ":", in: cpu),
      cores: usableCores(),
      memoryBytes: MemoryUsage.bytes(of: "MemTotal", in: memory),
      kernel: "\(system.name) \(system.release)",
      operatingSystem: SystemFile.value(of: "PRETTY_NAME", separator: "=", in: release),
      architecture: system.architecture,
      loadAverage: SystemFile.text("/proc/loadavg").flatMap { $0.split(separator: " ").first }.flatMap { Double($0) },
      governor: SystemFile.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").map(SystemFile.trimmed))
  }

  /// The processor's instructions by which a C library chooses between its ways to copy and to compare.
  package static var vectorInstructions: [String] {
    let cpu = SystemFile.text("/proc/cpuinfo") ?? ""
    let flags = Set((SystemFile.value(of: "flags", separator: ":", in: cpu) ?? "").split(separator: " "))
    return ["sse4_2", "avx", "avx2", "bmi2", "erms"].filter { flags.contains(Substring($0)) }
  }

  private static func usableCores() -> Int {
    SystemFile.text("/proc/self/status").flatMap(usableCores(status:)) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// The processors set in `Cpus_allowed`, a mask of hexadecimal words: `ff,00000003`.
  static func usableCores(status: String) -> Int? {
    guard let mask = SystemFile.value(of: "Cpus_allowed", separator: ":", in: status) else { return nil }
    let cores = mask.split(separator: ",").reduce(0) { $0 + (UInt64($1, radix: 16)?.nonzeroBitCount ?? 0) }
    return cores > 0 ? cores : nil
  }

  private static func unixName() -> (name: String, release: String, architecture: String) {
    var name = utsname()
    guard uname(&name) == 0 else { return ("unknown", "", "unknown") }
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return (text(name.sysname), text(name.release), text(name.machine))
  }
}
