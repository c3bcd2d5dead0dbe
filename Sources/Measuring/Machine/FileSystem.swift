#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The file systems that are mounted.
package enum FileSystem {
  /// Name of the file system that holds `path` (`ext4`, `overlay`, `tmpfs`, …); nil when the path is not there.
  package static func type(ofPath path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return SystemFile.text("/proc/self/mountinfo").flatMap { type(ofPath: String(cString: resolved), mounts: $0) }
  }

  /// The type of the mount with the longest prefix of `path`; of several on one point, the last hides the others.
  ///
  /// - SeeAlso: proc(5), `/proc/pid/mountinfo`: `36 35 98:0 /root /point options … - type source …`.
  static func type(ofPath path: String, mounts: String) -> String? {
    precondition(path.hasPrefix("/"), "a path is looked for from the root")
    var best: (point: String, type: String)?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 5, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { continue }
      let point = unescaped(fields[4])
      guard point == "/" || path == point || path.hasPrefix(point + "/") else { continue }
      if point.utf8.count >= best?.point.utf8.count ?? 0 { best = (point, String(fields[dash + 1])) }
    }
    return best?.type
  }

  /// Undoes the octal escapes (`\040` for a blank) of a mount point.
  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
