#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A system call that failed, by its `errno`.
struct SystemFailure: Error, CustomStringConvertible {
  let code: CInt

  var description: String { errorText(code) }
}

/// The C library's text of an `errno`.
func errorText(_ code: CInt) -> String { String(cString: strerror(code)) }
