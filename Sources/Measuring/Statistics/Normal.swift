#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The share of the standard normal distribution above a value.
func normalUpperTail(_ value: Double) -> Double { erfc(value / 2.0.squareRoot()) / 2 }

/// The value below which the standard normal distribution has a share above one half, by bisection.
func normalQuantile(_ share: Double) -> Double {
  precondition(share >= 0.5 && share < 1, "a quantile is looked for in the upper half")
  var (low, high) = (0.0, 40.0)
  for _ in 0..<60 {
    let middle = (low + high) / 2
    if normalUpperTail(middle) > 1 - share { low = middle } else { high = middle }
  }
  return (low + high) / 2
}

/// The number with the natural logarithm `logarithm`.
func exponential(_ logarithm: Double) -> Double { exp(logarithm) }
