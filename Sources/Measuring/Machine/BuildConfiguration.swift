#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How this executable was built; numbers of a debug or sanitized build are not comparable.
package struct BuildConfiguration: Codable, Sendable, Hashable {
  /// `release` or `debug`.
  package var optimization: Optimization
  /// The sanitizer that is linked in, if any.
  package var sanitizer: Sanitizer?

  /// The kind of build: without or with the optimizer.
  package enum Optimization: String, Codable, Sendable { case debug, release }

  /// Runtime checkers of the compiler that make timings and memory meaningless.
  package enum Sanitizer: String, Codable, Sendable, CaseIterable { case thread, address }

  /// Whether timings and memory of this build may be compared with others'.
  package var isComparable: Bool { optimization == .release && sanitizer == nil }

  /// Reasons not to compare it, behind a version number: ` (debug, thread sanitizer)`; empty for none.
  package var suffix: String {
    let words = (optimization == .debug ? ["debug"] : []) + (sanitizer.map { ["\($0.rawValue) sanitizer"] } ?? [])
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }

  /// Describes this executable.
  package static let current = BuildConfiguration(optimization: optimization, sanitizer: linkedSanitizer())

  #if DEBUG
    private static let optimization = Optimization.debug
  #else
    private static let optimization = Optimization.release
  #endif

  private static func linkedSanitizer() -> Sanitizer? {
    // The runtimes export their entry points from the executable that carries them.
    let program = dlopen(nil, RTLD_NOW)
    defer { if let program { dlclose(program) } }
    return Sanitizer.allCases.first { sanitizer in
      switch sanitizer {
      case .thread: dlsym(program, "__tsan_init") != nil
      case .address: dlsym(program, "__asan_init") != nil
      }
    }
  }
}
