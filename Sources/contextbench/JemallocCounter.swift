import Measuring

#if canImport(CJemalloc)
  import CJemalloc
#endif

/// Reads jemalloc's counters of allocated bytes, where the executable is linked with it.
enum JemallocCounter {
  #if canImport(CJemalloc)
    /// Name and version of the allocator, for the manifest.
    static var allocatorName: String {
      var text: UnsafePointer<CChar>?
      var size = MemoryLayout.size(ofValue: text)
      guard mallctl("version", &text, &size, nil, 0) == 0, let text else { return "jemalloc" }
      return "jemalloc " + String(cString: text).prefix { $0 != "-" }
    }

    /// Makes the counters known; before there is another thread.
    static func install() {
      var nodes = [Int](repeating: 0, count: 4)
      var count = nodes.count
      guard mallctlnametomib("thread.allocated", &nodes, &count) == 0 else { return }
      let thread = Array(nodes.prefix(count))
      AllocationCounter.install(
        process: { total(number) }, thread: { number(thread) }, allocations: { total { _ in 1 } })
    }

    /// Every allocation so far, by size class: what a size class handed out × its weight, which is found by the name of its size.
    ///
    /// Regions that wait in a thread's cache count as handed out, some 100 kB a thread.
    private static func total(_ weight: (String) -> UInt64) -> UInt64 {
      // Statistics are as of the last new epoch.
      var epoch: UInt64 = 1
      mallctl("epoch", nil, nil, &epoch, MemoryLayout.size(ofValue: epoch))
      let small = total(weight, "bins", count: "arenas.nbins", size: "arenas.bin")
      return small + total(weight, "lextents", count: "arenas.nlextents", size: "arenas.lextent")
    }

    private static func total(
      _ weight: (String) -> UInt64, _ classes: String, count: String, size: String
    ) -> UInt64 {
      // MALLCTL_ARENAS_ALL is 4096: all arenas together.
      (0..<Int(number32(count))).reduce(0) { sum, index in
        sum + number("stats.arenas.4096.\(classes).\(index).nmalloc") * weight("\(size).\(index).size")
      }
    }

    private static func number(_ name: String) -> UInt64 {
      var value: UInt64 = 0
      var size = MemoryLayout.size(ofValue: value)
      return mallctl(name, &value, &size, nil, 0) == 0 ? value : 0
    }

    private static func number32(_ name: String) -> UInt32 {
      var value: UInt32 = 0
      var size = MemoryLayout.size(ofValue: value)
      return mallctl(name, &value, &size, nil, 0) == 0 ? value : 0
    }

    private static func number(_ nodes: [Int]) -> UInt64 {
      var value: UInt64 = 0
      var size = MemoryLayout.size(ofValue: value)
      return mallctlbymib(nodes, nodes.count, &value, &size, nil, 0) == 0 ? value : 0
    }
  #else
    /// Name of the allocator, for the manifest.
    static let allocatorName = "system"

    /// Does nothing: without jemalloc, allocated bytes are not measured.
    static func install() {}
  #endif
}
