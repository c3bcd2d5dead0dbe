#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Student's t distribution with a whole number of degrees of freedom.
///
/// - SeeAlso: Abramowitz, Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
package enum StudentT {
  /// The share of the distribution above a value.
  ///
  /// - Complexity: O(*degrees*).
  package static func upperTail(_ value: Double, degrees: Int) -> Double {
    precondition(degrees > 0, "a t distribution has at least one degree of freedom")
    let angle = atan(value / Double(degrees).squareRoot())
    let square = cos(angle) * cos(angle)
    var term = degrees.isMultiple(of: 2) ? 1 : cos(angle)
    var sum = degrees == 1 ? 0 : term
    // The powers of the cosine up to degrees − 2, from 0 or 1 in steps of two.
    for power in stride(from: degrees.isMultiple(of: 2) ? 2 : 3, through: degrees - 2, by: 2) {
      term *= square * Double(power - 1) / Double(power)
      sum += term
    }
    let between = degrees.isMultiple(of: 2) ? sin(angle) * sum : 2 / .pi * (angle + sin(angle) * sum)
    return min(1, max(0, (1 - between) / 2))
  }

  /// The value above which the distribution has a share below one half, by bisection.
  package static func quantile(upperTail share: Double, degrees: Int) -> Double {
    precondition(share > 0 && share < 0.5, "the share lies between 0 and one half")
    var (low, high) = (0.0, 1.0)
    while upperTail(high, degrees: degrees) > share, high < 1e12 { high *= 2 }
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if upperTail(middle, degrees: degrees) > share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
