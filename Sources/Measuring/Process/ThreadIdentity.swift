#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Tells threads that live at the same time apart.
package struct ThreadIdentity: Sendable, Hashable {
  private let number: UInt

  /// The calling thread.
  @inline(__always)
  package static var current: ThreadIdentity { ThreadIdentity(number: UInt(pthread_self())) }
}
