/// Resident memory of this process.
package struct MemoryUsage: Codable, Sendable, Hashable {
  /// Bytes that are resident now.
  package var residentBytes: UInt64
  /// Most bytes that were ever resident at once.
  package var residentBytesPeak: UInt64
  /// Resident bytes that belong to no file: allocated by the process itself.
  package var anonymousBytes: UInt64?

  /// Reads the process's usage; nil when the system does not tell.
  ///
  /// - SeeAlso: proc(5), `VmRSS`, `VmHWM` and `RssAnon`.
  package static func current() -> MemoryUsage? {
    SystemFile.text("/proc/self/status").flatMap(MemoryUsage.init(status:))
  }

  init?(status: String) {
    guard let resident = Self.bytes(of: "VmRSS", in: status), let peak = Self.bytes(of: "VmHWM", in: status) else {
      return nil
    }
    residentBytes = resident
    residentBytesPeak = peak
    anonymousBytes = Self.bytes(of: "RssAnon", in: status)
  }

  /// The size behind `key`, which these files give as `1234 kB`.
  static func bytes(of key: String, in text: String) -> UInt64? {
    guard let value = SystemFile.value(of: key, separator: ":", in: text) else { return nil }
    let words = value.split(separator: " ")
    guard words.count == 2, words[1] == "kB", let kilobytes = UInt64(words[0]) else { return nil }
    return kilobytes * 1024
  }
}
