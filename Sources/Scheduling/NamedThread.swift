import Foundation

/// Threads with a name, made where it is known whether there is one: Foundation's start says nothing when none could be made,
/// and a wait for its blocks would never end.
enum NamedThread {
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Runs `body` on a thread of its own.
  ///
  /// - Precondition: the system has room for one more thread.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name, body))
    let error = pthread_create(
      &thread, &attributes,
      { raw in
        guard let raw else { return nil }
        let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
        Thread.current.name = start.name
        start.body()
        return nil
      }, start.toOpaque())
    precondition(
      error == 0,
      """
      No thread could be made for "\(name)": \(String(cString: strerror(error))). Let fewer blocks wait at the same time, or raise \
      the limit of threads (ulimit -u, pids.max of the control group) or of memory (ulimit -v): each has a stack of 8 MB.
      """)
  }
}
