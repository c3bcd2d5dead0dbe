#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Writes texts whole.
package enum WholeWrite {
  /// Writes all of `text` to `descriptor`, in one `write(2)` unless the system takes only a part.
  ///
  /// - Returns: Whether everything was taken; `errno` says why not.
  package static func send(_ text: String, to descriptor: CInt) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, !rest.isEmpty {
        let written = write(descriptor, start, rest.count)
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
      return true
    }
  }
}
