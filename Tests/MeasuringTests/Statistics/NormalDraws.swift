import Scheduling

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension SeededRandom {
  /// A draw from the standard normal distribution.
  mutating func normal() -> Double {
    let (first, second) = (Double.random(in: 0..<1, using: &self), Double.random(in: 0..<1, using: &self))
    return (-2 * log(1 - first)).squareRoot() * cos(2 * .pi * second)
  }

  /// Normal draws around a mean.
  mutating func normal(_ count: Int, mean: Double = 0, deviation: Double) -> [Double] {
    (0..<count).map { _ in mean + deviation * normal() }
  }
}
