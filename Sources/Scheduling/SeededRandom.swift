/// The one source of randomness: SplitMix64, so that a seed gives the same draws on every machine and release.
///
/// - SeeAlso: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator seeded with `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next draw.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A generator that is independent of this one, for a worker or phase named by `stream`.
  public func split(_ stream: UInt64) -> SeededRandom {
    var mixer = SeededRandom(seed: state ^ (stream &* 0xD6E8_FEB8_6659_FD93))
    return SeededRandom(seed: mixer.next())
  }
}
